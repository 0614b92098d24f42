// expect: false
// args: --config bmc-trace-automata
// others: skip
extern unsigned __VERIFIER_nondet_uint(void);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
static void check(int ok) { if (!ok) reach_error(); }

int a[50000], b[50000];

int main(void) {
    unsigned k = __VERIFIER_nondet_uint(), i;
    for (i = 0; i < 50000; i++)
        a[i] = 3 * (int)i;
    for (i = 0; i < 50000; i++)
        b[49999 - i] = a[i];
    __VERIFIER_assume(k < 50000);
    check(b[k] != 120000);
}
