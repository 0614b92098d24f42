// expect: true
// Constants that are known while a program is checked have the precision of their type, as at run time.
#include <assert.h>

_Static_assert((long long)9007199254740993.0L == 9007199254740993LL, "long double has 64 bits");
_Static_assert((long long)(9007199254740992.0L + 1.0L) == 9007199254740993LL, "so do sums");
_Static_assert(0x1p-1074 > 0 && 4.9e-324 / 2 == 0 && 1e-45f > 0, "the least numbers");
_Static_assert(1e39f == __builtin_inff() && 1e39 < __builtin_inf() && 1e4931L < __builtin_infl(), "the greatest");
_Static_assert(0.1f != 0.1 && 0.1f * 10.0 != 1.0, "a float keeps its rounding");
_Static_assert(0.1f + 0.2f == 0.3f && 0.1 + 0.2 != 0.3 && 0.1L + 0.2L == 0.3L, "sums round to their type");
_Static_assert((long long)(float)18014399583223809LL == 18014400656965632LL, "integers round once");
_Static_assert((unsigned long long)(float)0xffffff7fffffffffULL == 0xffffff0000000000ULL, "also large ones");
_Static_assert((_Bool)1e-4000L && !(_Bool)-0.0 && (int)-1.9 == -1 && (unsigned char)255.9f == 255, "conversions");
_Static_assert(0x.8p1 == 1 && 1.e1 == 10 && .5e-1F == 0.05f && (0.5 ?: 1) == 0.5, "ways to write them");

enum { LIMIT = (int)16777217.0f };

int main(void)
{
    assert(LIMIT == 16777216);
    volatile float tenth = 0.1f;
    assert((int)(tenth * 10.0 * 1e9) == (int)(0.1f * 10.0 * 1e9));
    return 0;
}
