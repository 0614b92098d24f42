// expect: true
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

union u { unsigned w; unsigned char b[4]; short h[2]; struct { unsigned lo : 4, hi : 28; } f; };
int main(void) {
    union u u;
    u.w = 0x80ff1234u;
    check(u.b[0] == 0x34 && u.b[3] == 0x80 && u.h[1] == (short)0x80ff && u.f.lo == 4 && u.f.hi == 0x80ff123);
    u.b[1] = 0;
    check(u.w == 0x80ff0034u);
    u.f.hi = 1;
    check(u.w == 0x14);
    float f = 1.0f;
    check(*(unsigned *)&f == 0x3f800000u);
    return 0;
}
