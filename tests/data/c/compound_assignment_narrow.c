// expect: true
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    unsigned char c = 250;
    c += 10;
    check(c == 4);
    c -= 5;
    check(c == 255);
    c *= 2;
    check(c == 254);
    signed char d = 127;
    d++;
    check(d == -128);
    check(d-- == -128 && d == 127);
    int i = 7;
    i *= 0.5;
    check(i == 3);
    unsigned u = 3;
    u /= -1;
    check(u == 0);
    _Bool b = 0;
    b += 5;
    check(b == 1);
    b--;
    check(b == 0);
    b = 0.25;
    check(b == 1);
    return 0;
}
