// expect: false
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

static int a = 1, b = 2, *p = &a, **q = &p;
int main(void) {
    if (__VERIFIER_nondet_int() == 3) *q = &b;
    *p = 5;
    check(b == 2);
    return 0;
}
