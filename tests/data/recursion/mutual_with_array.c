// expect: true
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

static int memo[8];
static int even(int n);
static int odd(int n) { memo[n]++; return n == 0 ? 0 : even(n - 1); }
static int even(int n) { memo[n]++; return n == 0 ? 1 : odd(n - 1); }
int main(void) {
    check(even(6) == 1 && odd(6) == 0);
    for (int i = 0; i < 7; i++) check(memo[i] == 2);
    return 0;
}
