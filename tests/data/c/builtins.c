// expect: true
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    int x = __VERIFIER_nondet_int();
    if (__builtin_expect(x > 3, 0)) check(x > 3);
    check(__builtin_popcount(0xf0f0u) == 8 && __builtin_clz(1u) == 31 && __builtin_ctz(8u) == 3 && __builtin_ffs(0) == 0);
    check(__builtin_bswap32(0x01020304u) == 0x04030201u && __builtin_parity(7) == 1 && __builtin_abs(-5) == 5);
    int r;
    check(__builtin_add_overflow(2147483647, 1, &r) && r == -2147483647 - 1 && !__builtin_mul_overflow(3, 4, &r) && r == 12);
    check(__builtin_types_compatible_p(int, signed) && !__builtin_types_compatible_p(int, long));
    check(__builtin_choose_expr(1, 5, "x") == 5 && __builtin_offsetof(struct { char c; int i; }, i) == 4);
    if (x == 4 && x == 5) __builtin_unreachable();
    return 0;
}
