// expect: true
// checks: assertions
// Which class a number is of.
#include <assert.h>
#include <math.h>

extern double __VERIFIER_nondet_double(void);
extern float __VERIFIER_nondet_float(void);

int main(void)
{
    assert(fpclassify(0.0) == FP_ZERO && fpclassify(-0.0f) == FP_ZERO && fpclassify(1e-310) == FP_SUBNORMAL);
    assert(fpclassify(1e-310L) == FP_NORMAL && fpclassify(-INFINITY) == FP_INFINITE && fpclassify(NAN) == FP_NAN);
    assert(isnormal(-1.5) && !isnormal(1e-40f) && !isnormal(0.0L) && !isnormal(INFINITY) && !isnormal(NAN));
    float x = __VERIFIER_nondet_float();
    assert(isnormal(x) == (fpclassify(x) == FP_NORMAL));
    if (isnormal(x))
        assert(isfinite(x) && x != 0);
    double y = __VERIFIER_nondet_double();
    if (fpclassify(y) == FP_SUBNORMAL)
        assert(fabs(y) < 2.2250738585072014e-308 && y != 0);
    return 0;
}
