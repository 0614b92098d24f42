// expect: false
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

static int g(int a, int b) { return a; }
static int bad(void) { reach_error(); return 1; }
int main(void) { return g(0, __VERIFIER_nondet_int() && bad()); }
