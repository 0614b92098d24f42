// expect: true
// impact: true
// The example of McMillan, "Lazy abstraction with interpolants", Fig. 1: the lock alternates because old and new differ after each release.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int L;
int main(void) {
    int old, new = __VERIFIER_nondet_int();
    do {
        if (L != 0)
            reach_error();
        L = 1;
        old = new;
        if (__VERIFIER_nondet_int()) {
            L = 0;
            new++;
        }
    } while (new != old);
    return 0;
}
