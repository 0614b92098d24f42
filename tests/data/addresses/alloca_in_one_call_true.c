// expect: true
// checks: assertions
// Both blocks live until the function returns.
#include <alloca.h>
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 64)
        return 0;
    char *p = alloca(n);
    char *q = alloca(n);
    assert(p != q);
    return 0;
}
