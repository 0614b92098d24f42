// expect: true
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

static void need(int c) { if (!c) abort(); }
int main(void) {
    int x = __VERIFIER_nondet_int();
    need(x > 10);
    need(x < 12);
    check(x == 11);
    return 0;
}
