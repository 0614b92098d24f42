// expect: true
// args: --config k-induction
// k-induction: true
// The inner loop changes what the outer one relies on, and back.
void reach_error(void);
int __VERIFIER_nondet_int(void);

int main(void) {
    int lock = 0;
    while (__VERIFIER_nondet_int()) {
        if (lock != 0)
            reach_error();
        lock = 1;
        while (__VERIFIER_nondet_int()) {
            if (lock != 1)
                reach_error();
        }
        lock = 0;
    }
    return 0;
}
