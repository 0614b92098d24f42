// expect: true
// args: --config bmc-trace-automata
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
static void check(int ok) { if (!ok) reach_error(); }

static unsigned add(unsigned x, unsigned y) { return x + y; }

int main(void) {
    unsigned n = __VERIFIER_nondet_uint(), x = n, y = 0;
    while (x > 0) {
        x = add(x, -1u);
        y = add(y, 4);
    }
    check(y == 4 * n);
}
