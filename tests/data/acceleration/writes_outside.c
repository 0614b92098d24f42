// expect: unknown(access out of bounds)
// args: --config bmc-trace-automata
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

int a[1000];

int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    __VERIFIER_assume(n <= 1001);
    for (unsigned i = 0; i < n; i++)
        a[i] = 1;
    if (n > 2 && a[2] != 1)
        reach_error();
}
