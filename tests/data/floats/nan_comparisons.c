// expect: true
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    double z = 0.0, n = z / z, i = 1 / z;
    check(n != n && !(n < 1) && !(n >= 1) && !(n == n) && i > 1e300 && -i < i);
    check(!(i - i == 0));
    return 0;
}
