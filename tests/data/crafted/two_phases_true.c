// expect: true
// witness: an equation for each phase of the loop
// args: --config bmc-trace-automata
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
static void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    unsigned n = __VERIFIER_nondet_uint(), x = 0, y = 0;
    __VERIFIER_assume(n >= 1000);
    while (x < n) {
        if (x < 500)
            y += 1;
        else
            y += 2;
        x++;
    }
    check(y == 2 * n - 500);
}
