// expect: true
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

int f(int n) {
    int local = n;
    int *p = &local;
    if (n > 0) f(n - 1);
    check(*p == n && local == n);
    return local;
}
int main(void) {
    f(4);
    return 0;
}
