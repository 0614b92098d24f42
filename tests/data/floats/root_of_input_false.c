// expect: false
// Only one number has this root.
#include <assert.h>
#include <math.h>

extern double __VERIFIER_nondet_double(void);

int main(void)
{
    double x = __VERIFIER_nondet_double();
    double root = sqrt(x);
    if (x >= 0)
        assert(root >= 0);
    if (x <= 100)
        assert(root != 6.5);
    return 0;
}
