// expect: true
// args: --config bmc-trace-automata
// witness: an invariant over all elements of an array takes a quantifier
extern unsigned __VERIFIER_nondet_uint(void);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
static void check(int ok) { if (!ok) reach_error(); }

/* Two writes in an iteration. */
int a[200000];

int main(void) {
    unsigned n = __VERIFIER_nondet_uint(), k = __VERIFIER_nondet_uint(), i;
    __VERIFIER_assume(n <= 100000 && k < n);
    for (i = 0; i < n; i++) {
        a[2 * i] = (int)i;
        a[2 * i + 1] = -(int)i;
    }
    check(a[2 * k] + a[2 * k + 1] == 0);
}
