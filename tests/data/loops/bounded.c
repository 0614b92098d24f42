// expect: true
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    int n = __VERIFIER_nondet_int(), s = 0;
    if (n < 0 || n > 6) return 0;
    for (int i = 0; i < n; i++) s += i;
    check(2 * s == n * (n - 1));
    return 0;
}
