// expect: unknown(unsupported: builtin)
// A compiler knows that this gives a `double`.
#include <assert.h>

int main(void)
{
    int sign;
    assert(__builtin_lgamma_r(1.0, &sign) == 0.0);
    return 0;
}
