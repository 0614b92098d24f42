// expect: false
// A copy of a NaN has its payload.
#include <assert.h>

extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    union {
        unsigned bits;
        float value;
    } a, b;
    a.bits = __VERIFIER_nondet_uint();
    if (a.bits != 0x7fc00001)
        return 0;
    b.value = a.value;
    assert(b.bits != 0x7fc00001);
    return 0;
}
