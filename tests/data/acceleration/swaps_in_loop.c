// expect: true
// args: --config bmc-trace-automata
// witness: that two variables swap in each iteration is no relation that the analyses of invariants find
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

int a[100000], b[100000];

int main(void) {
    unsigned n = __VERIFIER_nondet_uint(), k = __VERIFIER_nondet_uint();
    __VERIFIER_assume(n <= 100000 && k < n);
    int x = a[k] = (int)__VERIFIER_nondet_uint(), y = b[k] = (int)__VERIFIER_nondet_uint();
    for (unsigned i = 0; i < n; i++) {
        int t = a[i];
        a[i] = b[i];
        b[i] = t;
    }
    if (a[k] != y || b[k] != x)
        reach_error();
}
