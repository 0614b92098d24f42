// expect: true
// args: --config bmc-trace-automata
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

/* The bound of the inner loop depends on the outer one: 0 + 1 + ... + (n - 1). */
int main(void) {
    unsigned n = __VERIFIER_nondet_uint(), x = 0;
    if (n > 1000)
        return 0;
    for (unsigned i = 0; i < n; i++)
        for (unsigned j = 0; j < i; j++)
            x++;
    if (2 * x + n != n * n)
        reach_error();
}
