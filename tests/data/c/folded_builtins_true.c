// expect: true
// checks: assertions
// Builtins are constant where their arguments are.
#include <assert.h>

_Static_assert(__builtin_clz(0xffU) == 24 && __builtin_clzll(1) == 63 && __builtin_ctzl(8) == 3, "zeros");
_Static_assert(__builtin_popcountll(-1LL) == 64 && __builtin_parity(7) == 1 && __builtin_ffs(0) == 0, "ones");
_Static_assert(__builtin_bswap16(0x1234) == 0x3412 && __builtin_bswap32(1) == 0x1000000, "bytes");
_Static_assert(__builtin_strlen("four") == 4 && __builtin_expect(3, 0) == 3, "others");

static char room[__builtin_ctz(16)];

int main(void)
{
    int n = 2;
    switch (n) {
    case __builtin_popcount(5):
        n = sizeof room;
    }
    assert(n == 4);
    return 0;
}
