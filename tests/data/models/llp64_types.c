// expect: true
// data-model: LLP64
// Types of Windows on 64 bits: `long` has 32 bits, pointers have 64, and wide characters 16.
#include <assert.h>
#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <inttypes.h>

_Static_assert(sizeof(int) == 4 && sizeof(long) == 4 && sizeof(long long) == 8, "integers");
_Static_assert(sizeof(void *) == 8 && sizeof(size_t) == 8 && sizeof(ptrdiff_t) == 8 && sizeof(intptr_t) == 8, "addresses");
_Static_assert(sizeof(wchar_t) == 2 && (wchar_t)-1 > 0 && WCHAR_MAX == 65535 && WCHAR_MIN == 0, "wide characters");
_Static_assert(sizeof(long double) == 16 && _Alignof(long double) == 16, "long double");
_Static_assert(sizeof(int64_t) == 8 && sizeof(int32_t) == 4 && SIZE_MAX == 18446744073709551615ull, "fixed widths");
_Static_assert(LONG_MAX == 2147483647 && ULONG_MAX == 4294967295 && INT_MAX == LONG_MAX, "limits");
_Static_assert(__SIZEOF_LONG__ == 4 && __SIZEOF_POINTER__ == 8 && __LONG_MAX__ == 2147483647, "macros");
_Static_assert(_Generic(sizeof 0, unsigned long long: 1, default: 0), "the type of sizeof");
_Static_assert(_Generic((char *)0 - (char *)0, long long: 1, default: 0), "the type of differences");
_Static_assert(_Generic(2147483648, long long: 1, default: 0), "a decimal constant");
_Static_assert(_Generic(0x80000000, unsigned: 1, default: 0), "a hexadecimal constant");
_Static_assert(_Generic(0x80000000l, unsigned long: 1, default: 0), "a hexadecimal constant with a suffix");
_Static_assert(_Generic(4294967296, long long: 1, default: 0), "a wide constant");
_Static_assert(_Generic(1u + 1l, unsigned long: 1, default: 0), "unsigned int and long");
_Static_assert(sizeof(struct { char c; long long l; }) == 16 && sizeof(struct { char c; long l; }) == 8, "records");
#ifdef __LP64__
#error this is not LP64
#endif

extern long __VERIFIER_nondet_long(void);
extern unsigned __VERIFIER_nondet_uint(void);

int cells[4];

int main(void) {
    wchar_t text[] = L"ab";
    assert(sizeof text == 6 && text[0] == 'a' && text[2] == 0);
    unsigned char *bytes = (unsigned char *)L"ab";
    assert(bytes[0] == 'a' && bytes[1] == 0 && bytes[2] == 'b');
    // The difference of pointers and indices have 64 bits, `long` has not.
    unsigned i = __VERIFIER_nondet_uint();
    if (i < 4) {
        int *p = &cells[i];
        long long offset = (char *)p - (char *)cells;
        assert(offset == 4ll * i);
        assert(p[-(long long)i] == 0);
    }
    long n = __VERIFIER_nondet_long();
    assert((unsigned long)n == (unsigned long)(int)n);
    // Addresses do not fit into `long`.
    uintptr_t address = (uintptr_t)cells;
    assert((int *)address == cells);
    return 0;
}
