// expect: true
// args: --config bmc-trace-automata
// witness: an invariant over all elements of an array takes a quantifier
extern unsigned __VERIFIER_nondet_uint(void);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
static void check(int ok) { if (!ok) reach_error(); }

int a[1000000], b[1000000];

int main(void) {
    unsigned n = __VERIFIER_nondet_uint(), i;
    __VERIFIER_assume(n <= 1000000);
    for (i = 0; i < n; i++)
        a[i] = __VERIFIER_nondet_int();
    for (i = 0; i < n; i++)
        b[i] = a[i] + 1;
    for (i = 0; i < n; i++)
        check(b[i] == a[i] + 1);
}
