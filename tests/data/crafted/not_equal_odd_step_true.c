// expect: true
// args: --config bmc-trace-automata
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
static void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    /* Every odd step meets every number once. */
    unsigned n = __VERIFIER_nondet_uint(), i = 0, rounds = 0;
    while (i != n) {
        i += 5;
        rounds++;
    }
    check(rounds * 5 == n);
}
