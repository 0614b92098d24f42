// expect: true
// A compiler's name for a function of the library.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    double x = __VERIFIER_nondet_int() ? 9.0 : 4.0;
    double root = __builtin_sqrt(x);
    float rootf = __builtin_sqrtf((float)x);
    assert(root == 2.0 || root == 3.0);
    assert(root == rootf);
    assert(__builtin_floor(root + 0.5) == root);
    assert(__builtin_fmin(root, 1.0) == 1.0);
    return 0;
}
