// expect: true
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

static int stop(void) { for (;;); }
int main(void) {
    if (__VERIFIER_nondet_int() && stop()) reach_error();
    return 0;
}
