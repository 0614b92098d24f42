// expect: false
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

union u { unsigned i; unsigned char b[4]; };
int main(void) {
    union u u;
    u.i = __VERIFIER_nondet_uint();
    check(u.b[0] + u.b[1] + u.b[2] + u.b[3] != 1000);
    return 0;
}
