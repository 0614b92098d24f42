// expect: true
// impact: true
// The outer loop's head is covered by itself through an inner loop whose labels know nothing of `s` before.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
    int s = 1, i;
    while (__VERIFIER_nondet_int()) {
        for (i = __VERIFIER_nondet_int(); i < 10; i++)
            if (i == 5 && s != 1)
                s = 3;
        for (i = __VERIFIER_nondet_int(); i < 10; i++)
            if (i == 7 && s == 2)
                s = 4;
    }
    if (s != 1)
        reach_error();
    return 0;
}
