// expect: false
// checks: overflow
// The least number has no absolute value.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = __VERIFIER_nondet_int();
    return x < 5 && abs(x) > 7;
}
