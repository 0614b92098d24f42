// expect: false
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

static void f(int x) { if (x > 3) { ERROR: goto ERROR; } }
int main(void) { f(__VERIFIER_nondet_int()); return 0; }
