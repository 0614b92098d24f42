// expect: false
// args: --config bmc-trace-automata
// others: skip
extern unsigned __VERIFIER_nondet_uint(void);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
static void check(int ok) { if (!ok) reach_error(); }

int a[60001];

int main(void) {
    unsigned i;
    for (i = 0; i < 60000; i++)
        a[i] = __VERIFIER_nondet_int();
    a[60000] = 7;
    i = 0;
    while (a[i] != 7)
        i++;
    check(i != 50000);
}
