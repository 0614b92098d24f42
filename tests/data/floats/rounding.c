// expect: true
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    float a = 0.1f, b = 0.2f;
    float s = a + b;
    check(s == 0.3f || s > 0.3f - 1e-6f);
    double third = 1.0 / 3;
    check(third * 3 == 1.0 && (float)third != third);
    double big = 1e308;
    check(big * 10 > big && big * 10 == 1 / 0.0);
    check((int)1e9f == 1000000000 && (unsigned char)200.7 == 200 && (long long)-1e15 == -1000000000000000ll);
    float f = 1e-45f;
    check(f > 0 && f / 2 == 0);
    return 0;
}
