// expect: true
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

extern void exit(int);
static int f(int x) { if (x > 2) exit(1); return x; }
int main(void) { int x = __VERIFIER_nondet_int(); check(f(x) <= 2); return 0; }
