// expect: false
// args: --config bmc-trace-automata
// others: skip
extern unsigned __VERIFIER_nondet_uint(void);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
static void check(int ok) { if (!ok) reach_error(); }

unsigned a[100000];

int main(void) {
    unsigned k = __VERIFIER_nondet_uint(), i;
    for (i = 0; i < 100000; i++)
        a[i] = 2 * i + 1;
    __VERIFIER_assume(k < 100000);
    check(a[k] != 180001);
}
