// expect: true
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    unsigned x = __VERIFIER_nondet_uint();
    __VERIFIER_assume(x != 0);
    int n = __builtin_ctz(x);
    check(n >= 0 && n < 32 && (x >> n & 1));
    return 0;
}
