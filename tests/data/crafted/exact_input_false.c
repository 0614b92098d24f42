// expect: false
// args: --config bmc-trace-automata
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
static void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    unsigned n = __VERIFIER_nondet_uint(), s = 0;
    for (unsigned i = 0; i < n; i++)
        s += 7;
    check(s != 3500000);
}
