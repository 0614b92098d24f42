// expect: true
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

static int f(int n) { static int depth; int mine = ++depth; if (n > 0) f(n - 1); return mine * 100 + depth; }
int main(void) {
    check(f(3) == 104);
    check(f(0) == 505);
    return 0;
}
