// expect: true
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

union u { unsigned i; unsigned char b[4]; float f; };
int main(void) {
    union u u;
    u.i = 0x01020304;
    check(u.b[0] == 4 && u.b[3] == 1);
    u.f = 1.0f;
    check(u.i == 0x3f800000);
    return 0;
}
