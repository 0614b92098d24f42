// expect: true
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
    __VERIFIER_assume(b != 0 && b != -1 && b > -8 && b < 8 && a > -50 && a < 50);
    int q = a / b, r = a % b;
    check(q * b + r == a);
    check(a >= 0 ? r >= 0 : r <= 0);
    return 0;
}
