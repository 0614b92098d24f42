// expect: true
// checks: overflow
// What stands behind `&&` is computed only where it is reached.
#include <limits.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = __VERIFIER_nondet_int();
    if (x != INT_MIN && abs(x) > 5 && (x < INT_MAX ? x + 1 : x) > 3)
        return 1;
    return x > INT_MIN && -x > 0;
}
