// expect: false
// Roots do not cancel each other, and that of a negative number is no number.
#include <assert.h>
#include <math.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 14 || n > 17)
        return 0;
    double number = n;
    double none = sqrt(-number);
    assert(none != none);
    double root = sqrt(sqrt(number));
    assert(root * root != number);
    assert(root != 2);
    return 0;
}
