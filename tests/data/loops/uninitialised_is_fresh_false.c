// expect: false
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

static int pick(void) { int x; return x; }
int main(void) {
    int a = pick(), b = pick();
    check(a == b);
    return 0;
}
