// expect: false
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

// The sum is as guessed for all but one argument.
static int sum(int n) {
    if (n == 0) return 0;
    if (n == 14) return 91;
    return sum(n - 1) + n;
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 20) return 0;
    if (2 * sum(n) != n * (n + 1)) reach_error();
    return 0;
}
