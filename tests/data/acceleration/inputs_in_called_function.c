// expect: false
// args: --config bmc-trace-automata
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

static int positive(void) {
    int x = __VERIFIER_nondet_int();
    __VERIFIER_assume(x > 0);
    return x;
}

int a[30000];

int main(void) {
    int last = 0;
    for (unsigned i = 0; i < 20000; i++)
        last = positive();
    for (unsigned i = 0; i < 30000; i++)
        a[i] = __VERIFIER_nondet_int();
    if (last == 77 && a[25000] == 5)
        reach_error();
}
