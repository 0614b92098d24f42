// expect: true
// args: --loop-abstraction on
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    unsigned a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint(), h = 0;
    while (a > 10) {
        h = h * 31 + a;
        a = a / 2 + 3;
    }
    while (b != 0) {
        h ^= b;
        b &= b - 1;
    }
    check(a <= 10 && b == 0);
    return 0;
}
