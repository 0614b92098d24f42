// expect: true
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

struct s { unsigned u3 : 3; unsigned u31 : 31; unsigned u32 : 32; int i5 : 5; unsigned long long w40 : 40; _Bool b : 1; };
int main(void) {
    struct s s = {7, 0, 0, 15, 1, 0};
    check(s.u3 - 8 < 0);
    check(s.u31 - 1 < 0);
    check(s.u32 - 1 > 0);
    s.i5++;
    check(s.i5 == -16);
    check(~s.u3 < 0);
    check((s.u3 += 3) == 2);
    check(s.u3++ == 2 && s.u3 == 3);
    s.b = 2;
    check(s.b == 1);
    s.w40 = ~0ull;
    check((s.w40 << 4) >> 4 == 0xfffffffffull || (s.w40 << 4) >> 4 == 0xffffffffffull);
    return 0;
}
