// expect: true
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    double a = 0.1, b = 0.2;
    check(a + b != 0.3);
    float f = 16777216.0f;
    check(f + 1.0f == f);
    double z = 0.0, n = z / z;
    check(n != n);
    check(!(n < 1.0) && !(n >= 1.0));
    check(1.0 / z > 1e308);
    check((int)-1.9 == -1 && (unsigned char)200.7 == 200);
    check(0.0 == -0.0);
    return 0;
}
