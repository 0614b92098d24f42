// expect: true
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 4) return 0;
    int a[n];
    for (int i = 0; i < n; i++) a[i] = i;
    check(sizeof a == n * sizeof(int));
    check(a[n - 1] == n - 1);
    return 0;
}
