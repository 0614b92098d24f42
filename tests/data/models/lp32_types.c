// expect: true
// data-model: LP32
// Types of machines with 16 bits: sizes, types of constants, promotions.
#include <assert.h>
#include <limits.h>
#include <stddef.h>
#include <stdint.h>

_Static_assert(sizeof(int) == 2 && sizeof(short) == 2 && sizeof(long) == 4 && sizeof(long long) == 8, "integers");
_Static_assert(sizeof(void *) == 4 && sizeof(size_t) == 4 && sizeof(intptr_t) == 4, "addresses");
_Static_assert(_Generic(sizeof 0, unsigned long: 1, default: 0), "the type of sizeof");
_Static_assert(_Generic((char *)0 - (char *)0, long: 1, default: 0), "the type of differences");
_Static_assert(INT_MAX == 32767 && UINT_MAX == 65535 && INT_MIN == -32768 && USHRT_MAX == 65535, "limits");
_Static_assert(__INT_MAX__ == 32767 && __SIZEOF_INT__ == 2 && INT32_MAX == 2147483647, "macros");
_Static_assert(_Generic((int32_t)0, long: 1, default: 0) && _Generic((int16_t)0, short: 1, default: 0), "fixed widths");
_Static_assert(_Generic(32767, int: 1, default: 0) && _Generic(40000, long: 1, default: 0), "decimal constants");
_Static_assert(_Generic(0x8000, unsigned: 1, default: 0) && _Generic(0x10000, long: 1, default: 0), "hexadecimal ones");
_Static_assert(_Generic(0x80000000, unsigned long: 1, default: 0) && _Generic(2147483648, long long: 1, default: 0), "wide ones");
_Static_assert(_Generic(40000u, unsigned: 1, default: 0) && _Generic(70000u, unsigned long: 1, default: 0), "suffixes");
_Static_assert(_Generic('a', int: 1, default: 0) && sizeof 'a' == 2, "characters");
_Static_assert(_Generic((uint16_t)1 * (uint16_t)1, unsigned: 1, default: 0), "a product of unsigned shorts is unsigned");
_Static_assert(_Generic((short)1 + (short)1, int: 1, default: 0), "a sum of shorts");
_Static_assert(_Generic(1u + 1l, long: 1, default: 0), "unsigned int fits into long");
_Static_assert(sizeof(enum { SMALL = 1 }) == 2 && sizeof(enum { LARGE = 100000 }) == 4, "enumerations");
_Static_assert(sizeof(struct { char c; long l; }) == 8 && sizeof(struct { char c; int i; }) == 4, "records");

extern int __VERIFIER_nondet_int(void);
extern uint16_t __VERIFIER_nondet_ushort(void);

struct bits { int a : 7; unsigned b : 9; long c : 20; } bits;

int main(void) {
    uint16_t x = __VERIFIER_nondet_ushort(), y = __VERIFIER_nondet_ushort();
    // Computed in 16 bits without a sign.
    assert(x + y == (uint16_t)(x + y));
    assert((unsigned long)x * y <= 0xfffe0001);
    assert(-1 > 0x8000 - 1);
    assert((-1 < 0x8000) == 0);
    int n = __VERIFIER_nondet_int();
    assert(n >= -32768 && n <= 32767);
    assert((1 << 14) > 0 && (long)n * n >= 0);
    bits.a = -3;
    bits.b = 511;
    bits.c = -70000;
    assert(bits.a == -3 && bits.b == 511 && bits.c == -70000 && sizeof bits == 8);
    unsigned char c = 200;
    c = c << 1 >> 1;
    assert(c == 200);
    return 0;
}
