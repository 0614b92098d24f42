// expect: true
// args: --config bmc-trace-automata
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
static void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    unsigned n = __VERIFIER_nondet_uint(), a = 0, b = 7, c = n;
    for (unsigned i = 0; i != n; i++) {
        a += 3;
        b += 5;
        c -= 2;
    }
    check(a == 3 * n);
    check(b == 5 * n + 7 && c + n == 0);
}
