// expect: true
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    int *p = 0;
    check(!p && p == (void *)0 && (unsigned long)p == 0);
    int x = 3;
    p = __VERIFIER_nondet_int() ? &x : 0;
    if (p) *p = 9;
    check(x == 3 || x == 9);
    check(x == 3 || p);
    return 0;
}
