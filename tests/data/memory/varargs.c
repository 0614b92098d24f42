// expect: true
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

#define va_list __builtin_va_list
static int sum(int n, ...) {
    va_list ap, copy;
    __builtin_va_start(ap, n);
    __builtin_va_copy(copy, ap);
    int s = 0;
    for (int i = 0; i < n; i++) s += __builtin_va_arg(ap, int);
    for (int i = 0; i < n; i++) s += 100 * __builtin_va_arg(copy, int);
    __builtin_va_end(ap);
    return s;
}
int main(void) {
    char c = 3;
    check(sum(3, 1, 2, c) == 606);
    check(sum(0) == 0);
    return 0;
}
