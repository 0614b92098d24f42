// expect: true
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    int m = -1; unsigned u = 1; long l = -1; unsigned char c = 255; unsigned long ul = 1;
    check(m > u);
    check(l < u);
    check((signed char)c == m && c != m);
    check(l > ul);
    check(-1 < (unsigned short)1);
    check((1 ? m : u) > 5);
    check(sizeof(int) > -1 == 0);
    return 0;
}
