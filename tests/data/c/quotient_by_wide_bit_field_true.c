// expect: true
// Quotients by a bit-field of more bits than int are computed in just so many bits.
#include <assert.h>
struct fields { unsigned long f : 40; long g : 40; long h : 36; };

int main(void) {
    struct fields s = {7, 9, -1000};
    unsigned u = 100;
    short h = 1000;
    int negative = -1, *p = &negative;
    u /= s.f;
    h %= s.g;
    assert(u == 14 && h == 1);
    s.h /= s.g;
    assert(s.h == -111);
    s.g = -1;
    *p = -2147483647 - 1;
    *p /= s.g;
    assert(negative == -2147483647 - 1);
    negative = -1;
    negative %= s.f;
    assert(negative == 1);
    negative = -1;
    s.f = 1;
    s.f <<= 8;
    negative /= s.f;
    assert((unsigned)negative == 0xFFFFFFFF);
    u = 4000000000;
    u /= s.g;
    assert(u == 294967296);
    return 0;
}
