// expect: true
// predicate: true
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static int odd(int n);
static int even(int n) { return n == 0 ? 1 : odd(n - 1); }
static int odd(int n) { return n == 0 ? 0 : even(n - 1); }

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 0) return 0;
    if (odd(n) != n % 2) reach_error();
    return 0;
}
