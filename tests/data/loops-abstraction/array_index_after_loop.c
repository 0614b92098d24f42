// expect: true
// args: --loop-abstraction on
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    int a[64], i, n = __VERIFIER_nondet_int();
    if (n < 0 || n > 64) return 0;
    for (i = 0; i < n; i++) a[i] = i;
    check(i >= n);
    if (n > 3 && a[3] == 1000) a[0] = 1;
    check(i == n);
    return 0;
}
