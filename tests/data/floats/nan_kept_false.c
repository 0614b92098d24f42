// expect: false
// A NaN is kept bit by bit where another member is written at an index that is not known.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    union {
        unsigned bits[2];
        float values[2];
    } v = {{0x7fc00001, 0x7fc00001}};
    int n = __VERIFIER_nondet_int() & 1;
    v.values[n] = 1.0f;
    assert(v.bits[1 - n] != 0x7fc00001);
    return 0;
}
