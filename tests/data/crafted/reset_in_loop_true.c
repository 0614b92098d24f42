// expect: true
// args: --config bmc-trace-automata
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
static void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    int n = __VERIFIER_nondet_int(), last = -1, i = 0;
    __VERIFIER_assume(n > 0);
    while (i < n) {
        last = i;
        i++;
    }
    check(last == n - 1);
}
