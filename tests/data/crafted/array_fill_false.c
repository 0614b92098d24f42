// expect: false
// args: --config bmc-trace-automata
extern unsigned __VERIFIER_nondet_uint(void);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
static void check(int ok) { if (!ok) reach_error(); }

unsigned a[100000];

int main(void) {
    unsigned n = __VERIFIER_nondet_uint(), k = __VERIFIER_nondet_uint(), i;
    __VERIFIER_assume(n <= 100000 && k < n);
    for (i = 0; i < n; i++)
        a[i] = 2 * i + 1;
    check(a[k] != 180001);
}
