// expect: true
// args: --config bmc-trace-automata
// others: skip
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

/* Where m is not positive, the inner loop has no iterations. */
int main(void) {
    int n = __VERIFIER_nondet_int(), m = __VERIFIER_nondet_int(), x = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            x = x + 2;
    if (m <= 0 && x != 0)
        reach_error();
    if (m == 3 && n > 0 && n < 100000 && x != 6 * n)
        reach_error();
}
