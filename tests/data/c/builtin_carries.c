// expect: true
// Sums and differences with a carry, and what is a normal number. The carry that comes in may be any number.
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
static void check(int ok) { if (!ok) reach_error(); }

int main(void)
{
    unsigned low = __VERIFIER_nondet_uint(), high = __VERIFIER_nondet_uint();
    unsigned long long both = (unsigned long long)high << 32 | low;
    unsigned carry;
    unsigned sum = __builtin_addc(low, 3000000000u, 0, &carry);
    sum = __builtin_addc(high, 5, carry, &carry);
    check(sum == (unsigned)((both + (5ULL << 32) + 3000000000u) >> 32));
    check(carry == (both + (5ULL << 32) + 3000000000u < both));

    unsigned borrow;
    unsigned difference = __builtin_subc(low, 7, 0, &borrow);
    check(borrow == (low < 7) && difference == low - 7);
    check(__builtin_subc(0, 0, 1, &borrow) == ~0u && borrow == 1);

    /* Where the carry is written, an operand may have been. */
    unsigned x = ~0u;
    unsigned doubled = __builtin_addc(x, x, 2, &x);
    check(doubled == 0 && x == 1);
    unsigned long long wide = 9;
    check(__builtin_addcll(~0ULL, 1, wide, &wide) == 9 && wide == 1);

    check(__builtin_isnormal(1.0) && __builtin_isnormal(-2.5f) && __builtin_isnormal(0x1p-1022));
    check(!__builtin_isnormal(0.0) && !__builtin_isnormal(0x1p-1023) && !__builtin_isnormal(__builtin_inf()));
    check(!__builtin_isnormal(__builtin_nan("")) && !__builtin_isnormal(-0x1p-127f));
    return 0;
}
