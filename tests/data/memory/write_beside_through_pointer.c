// expect: unknown(access out of bounds)
// checks: assertions
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x[2] = {0}, y[2] = {1, 1};
    int k = __VERIFIER_nondet_int(), *p = x;
    if (k < -2 || k > 1)
        return 0;
    p[k] = 5;
    assert(y[0] == 1);
    return x[0];
}
