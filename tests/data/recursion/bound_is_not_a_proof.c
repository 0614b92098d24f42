// expect: unknown(unwinding bound 3 reached)
// args: --unwind 3
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

int f(unsigned n) { return n == 0 ? 0 : f(n - 1); }
int main(void) {
    f(__VERIFIER_nondet_uint());
    check(__VERIFIER_nondet_int() < 100 || f(100) == 0);
    return 0;
}
