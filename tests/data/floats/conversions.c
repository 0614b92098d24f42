// expect: true
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    double d = -2.9;
    check((int)d == -2 && (int)(d - 0.2) == -3);
    float f = 16777217;
    check(f == 16777216.0f);
    check((float)0.1 != 0.1 && 0.1 + 0.2 != 0.3);
    unsigned u = 4294967295u;
    check((double)u == 4294967295.0 && (float)u == 4294967296.0f);
    check(-0.0 == 0.0 && 1 / -0.0 < 0);
    long long big = 9007199254740993ll;
    check((double)big == 9007199254740992.0);
    check((char)65.9 == 'A' && !0.0 && !!0.1);
    return 0;
}
