// expect: unknown(accelerated loop)
// args: --config bmc-trace-automata
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

static void copy(int *to, int *from, unsigned n) {
    for (unsigned i = 0; i < n; i++)
        to[i] = from[i];
}

int a[1000];

int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    __VERIFIER_assume(n >= 2 && n < 1000);
    a[0] = 1;
    copy(a + 1, a, n);
    if (a[n] != 1)
        reach_error();
}
