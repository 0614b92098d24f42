// expect: true
#include <assert.h>
#include <math.h>

extern double __VERIFIER_nondet_double(void);

int main(void)
{
    assert(floor(-1.5) == -2 && ceil(1.2) == 2 && round(2.5) == 3 && rint(2.5) == 2 && trunc(-2.7) == -2);
    assert(fmod(7.5, 2) == 1.5 && pow(2, 10) == 1024 && copysign(3, -0.0) == -3);
    double x = __VERIFIER_nondet_double();
    assert(!(fmin(x, 1) > 1) && !(sqrt(x) < 0) && !(sin(x) > 1));
    return 0;
}
