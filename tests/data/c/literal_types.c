// expect: true
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    check(sizeof(2147483648) == 8 && sizeof(0x80000000) == 4 && -0x80000000 > 0 && -2147483648 < 0);
    check(sizeof('a') == 4 && sizeof(1 ? 1 : 1.0) == 8 && sizeof((char)1 + (char)1) == 4);
    check(sizeof("abc") == 4 && sizeof(1.0f) == 4 && sizeof(1u << 1l) == 4);
    int i = 3;
    check(sizeof(i++) == 4 && i == 3);
    return 0;
}
