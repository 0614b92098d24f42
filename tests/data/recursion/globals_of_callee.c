// expect: true
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

static int g;
static void f(int n) { g += n; if (n > 0) { f(n - 1); g++; } }
int main(void) {
    f(4);
    check(g == 14);
    return 0;
}
