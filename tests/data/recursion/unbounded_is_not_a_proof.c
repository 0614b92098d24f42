// expect: unknown(unwinding)
// args: --config bmc --unwind 4
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

static int f(int n) { return n <= 0 ? 0 : 1 + f(n - 1); }
int main(void) {
    check(f(__VERIFIER_nondet_int()) != 9);
    return 0;
}
