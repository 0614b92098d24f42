// expect: false
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

union u { int w; unsigned char b[4]; };
int main(void) {
    union u u;
    u.w = __VERIFIER_nondet_int();
    check(u.b[3] < 0x80 || u.w != -77);
    return 0;
}
