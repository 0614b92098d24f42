// expect: true
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    unsigned char a = 200, b = 100;
    check(a + b == 300);
    unsigned char c = a + b;
    check(c == 44);
    signed char d = (signed char)200;
    check(d == -56 && (d >> 1) == -28 && (unsigned)d > 1000u);
    unsigned short s = 65535;
    check(s * 1 + 1 == 65536 && (unsigned short)(s + 1) == 0);
    check((a << 24) < 0);
    check(~a == -201);
    check(-(unsigned char)1 < 0);
    return 0;
}
