// expect: true
// args: --config k-induction
// k-induction: true
// The loop of a function is entered from two calls; what the caller knows holds during both.
void reach_error(void);
int __VERIFIER_nondet_int(void);
static int total;

static void drain(int bound) {
    while (__VERIFIER_nondet_int()) {
        if (bound < 1)
            reach_error();
        if (total > 100)
            total = 0;
    }
}

int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x < 1)
        return 0;
    drain(x);
    while (__VERIFIER_nondet_int())
        drain(1);
    return 0;
}
