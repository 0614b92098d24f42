// expect: unknown(bits of an address)
// checks: assertions
// An array may begin where another one ends.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int a[4], b[4];

int main(void)
{
    int *p = __VERIFIER_nondet_int() ? a : a + 4;
    assert(p != b);
}
