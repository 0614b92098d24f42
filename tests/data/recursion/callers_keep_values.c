// expect: false
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

/* What one call returns is not what another one does. */
static int f(int n) { return n <= 0 ? 0 : 1 + f(n - 2); }

int main(void) {
    int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
    if (a < 0 || b < 0 || a > 5 || b > 5) return 0;
    int x = f(a), y = f(b);
    if (a == 1 && b == 3 && x != y) reach_error();
    return 0;
}
