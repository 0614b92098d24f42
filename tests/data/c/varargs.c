// expect: true
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

typedef __builtin_va_list va_list;
int sum(int n, ...) {
    va_list ap;
    __builtin_va_start(ap, n);
    int s = 0;
    for (int i = 0; i < n; i++) s += __builtin_va_arg(ap, int);
    __builtin_va_end(ap);
    return s;
}
int main(void) {
    check(sum(3, 1, 2, 3) == 6);
    check(sum(0) == 0);
    return 0;
}
