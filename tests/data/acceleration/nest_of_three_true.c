// expect: true
// args: --config bmc-trace-automata
// witness: what the loops compute is a product of numbers of iterations, which no analysis of invariants finds
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

int main(void) {
    unsigned n = __VERIFIER_nondet_uint(), m = __VERIFIER_nondet_uint();
    unsigned p = __VERIFIER_nondet_uint(), x = 0;
    for (unsigned i = 0; i < n; i++)
        for (unsigned j = 0; j < m; j++)
            for (unsigned k = 0; k < p; k++)
                x++;
    if (x != n * m * p)
        reach_error();
}
