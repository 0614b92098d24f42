// expect: true
// checks: overflow
#include <limits.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = __VERIFIER_nondet_int();
    if (x % 2 == 2)
        return INT_MAX + x * x;
    return 0;
}
