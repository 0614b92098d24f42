// expect: unknown(counterexample not confirmed by replay)
#include <assert.h>
#include <math.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    double x = __VERIFIER_nondet_int() ? 9.0 : 4.0;
    assert(jn(2, x) <= 1.0);
    return 0;
}
