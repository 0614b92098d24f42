// expect: true
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

static void wait(void) { for (;;) { } }
int main(void) {
    if (__VERIFIER_nondet_int()) wait(); else abort();
    reach_error();
}
