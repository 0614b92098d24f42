// expect: false
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

int zero(void) { return 0; }
int one(void) { return 1; }
int main(void) {
    int (*f)(void) = __VERIFIER_nondet_int() > 100 ? one : zero;
    check(f() == 0);
    return 0;
}
