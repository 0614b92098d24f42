// expect: false
// impact: false
// As the example of McMillan, but the loop goes on with the lock held.
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
            if (new != 7)
                new++;
        }
    } while (new != old || L);
    return 0;
}
