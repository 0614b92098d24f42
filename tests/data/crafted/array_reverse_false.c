// expect: false
// args: --config bmc-trace-automata
extern unsigned __VERIFIER_nondet_uint(void);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
static void check(int ok) { if (!ok) reach_error(); }

int a[50000], b[50000];

int main(void) {
    unsigned n = __VERIFIER_nondet_uint(), k = __VERIFIER_nondet_uint(), i;
    __VERIFIER_assume(n <= 50000 && k < n);
    for (i = 0; i < n; i++)
        a[i] = 3 * (int)i;
    for (i = 0; i < n; i++)
        b[49999 - i] = a[i];
    check(b[k] != 120000);
}
