// expect: true
// args: --config bmc-trace-automata
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
static void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    unsigned n = __VERIFIER_nondet_uint(), m = __VERIFIER_nondet_uint(), x = 0;
    for (unsigned i = 0; i < n; i++)
        x++;
    for (unsigned j = 0; j < m; j++)
        x += 2;
    check(x == n + 2 * m);
}
