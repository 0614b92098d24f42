// expect: true
// args: --config bmc-trace-automata
// witness: what the loops compute is a product of numbers of iterations, which no analysis of invariants finds
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

/* Two inner loops, one after the other: what one adds, the other takes away. */
int main(void) {
    int n = __VERIFIER_nondet_int(), m = __VERIFIER_nondet_int(), x = 0, y = 0;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < m; j++)
            x += 2;
        for (int j = m; j > 0; j--)
            y -= 2;
    }
    if (x + y != 0)
        reach_error();
}
