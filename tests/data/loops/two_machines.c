// expect: true
// Loops in a row and within each other, all of which come back to their states.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_error(void);

int main(void) {
    int a = 0, b = 0;
    while (__VERIFIER_nondet_int()) {
        a = !a;
        do {
            b = b == 2 ? 0 : b + 1;
        } while (__VERIFIER_nondet_int());
    }
    while (__VERIFIER_nondet_int()) {
        if (a + b > 3) __VERIFIER_error();
        a = !a;
    }
    return 0;
}
