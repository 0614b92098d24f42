// expect: false
// args: --config bmc-trace-automata
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
static void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    unsigned n = __VERIFIER_nondet_uint(), a = 0, b = 0;
    __VERIFIER_assume(n >= 600000);
    while (a != n) {
        a++;
        b += 2;
    }
    check(b != 1400000);
}
