// expect: true
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    unsigned char a = 200, b = 100;
    check(a + b == 300);
    unsigned char c = a + b;
    check(c == 44);
    signed char d = (signed char)200;
    check(d == -56);
    return 0;
}
