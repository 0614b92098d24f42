// expect: true
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

static int f(int n, int *outer) {
    int x = n;
    if (n > 0) f(n - 1, &x);
    if (outer) *outer += x;
    return x;
}
int main(void) {
    check(f(3, 0) == 6);
    return 0;
}
