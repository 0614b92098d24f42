// expect: false
// The NaN of 0/0 is negative on this machine.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    float zero = (float)(__VERIFIER_nondet_int() & 1);
    union {
        float value;
        unsigned bits;
    } v;
    v.value = zero / zero;
    assert(v.bits != 0xffc00000);
    return 0;
}
