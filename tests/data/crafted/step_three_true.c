// expect: true
// args: --config bmc-trace-automata
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
static void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    unsigned n = __VERIFIER_nondet_uint(), i = 0;
    __VERIFIER_assume(n <= 4000000000u);
    while (i < n)
        i += 3;
    check(i >= n && i < n + 3);
}
