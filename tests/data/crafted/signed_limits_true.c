// expect: true
// args: --config bmc-trace-automata
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    int n = __VERIFIER_nondet_int(), sum = 0, i;
    for (i = 1; i <= n; i++)
        sum += 2;
    check(n < 1 || sum == n * 2);
}
