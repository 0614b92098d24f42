// expect: true
// args: --config bmc-trace-automata
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
static void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    unsigned n = __VERIFIER_nondet_uint(), k = __VERIFIER_nondet_uint(), sum = 0;
    unsigned a[3] = {2, 3, 5};
    __VERIFIER_assume(k < 3);
    for (unsigned i = 0; i != n; i++)
        sum += a[k];
    check(k != 1 || sum == 3 * n);
}
