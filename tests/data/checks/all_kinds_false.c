// expect: false
// checks: assertions,overflow,division,shift
// The assertion fails first.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = __VERIFIER_nondet_int();
    assert(x != 3);
    return x == 3 ? 1 / (x - 3) : 0;
}
