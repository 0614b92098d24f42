// expect: true
// The bits of any NaN are those of a NaN, and the same each time they are read.
#include <assert.h>

extern float __VERIFIER_nondet_float(void);

static int is_nan(float value)
{
    union {
        float value;
        unsigned bits;
    } v;
    v.value = value;
    return (v.bits & 0x7fffffff) > 0x7f800000;
}

int main(void)
{
    float x = __VERIFIER_nondet_float(), y = __VERIFIER_nondet_float();
    assert(is_nan(x) == (x != x));
    float sum = x * y + x;
    assert(is_nan(sum) == (sum != sum));
    union {
        float value;
        unsigned bits;
    } v;
    v.value = sum;
    unsigned first = v.bits, second = v.bits;
    assert(first == second);
    return 0;
}
