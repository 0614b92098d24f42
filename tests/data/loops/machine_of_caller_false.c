// expect: false
// The inner loop's own registers come back, those of the caller and the globals don't.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_error(void);

int total;

static void inner(void) {
    int go = 1;
    while (go) {
        go = __VERIFIER_nondet_int() != 0;
        total++;
        if (total == 6) __VERIFIER_error();
    }
}

int main(void) {
    for (int rounds = 0; __VERIFIER_nondet_int(); rounds = !rounds) inner();
    return 0;
}
