// expect: true
// impact: true
// The first head of the loop covers the later ones until the second assertion makes its label stronger; then they are uncovered.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
    int a = 0, b = 0, n = 0;
    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int())
            a = 1 - a;
        else
            b = a;
        if (a < 0)
            reach_error();
        if (n == 1 && b > 1)
            reach_error();
        n = __VERIFIER_nondet_int();
    }
    if (a + b > 2)
        reach_error();
    return 0;
}
