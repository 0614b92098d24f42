// expect: unknown(counterexample not confirmed by replay)
// The value is not known well enough for a proof, but replays compute it.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    float x = __VERIFIER_nondet_int() ? 9.0f : 4.0f;
    float power = __builtin_powf(x, 2.0f);
    assert(power == 16.0f || power == 81.0f);
    return 0;
}
