// expect: true
// Functions of floats tell errors in errno.
#include <assert.h>
#include <errno.h>
#include <math.h>

int main(void) {
    int quotient;
    errno = 0;
    assert(remainder(5, 3) == -1 && remquo(-7, 2, &quotient) == 1 && quotient % 8 == -4);
    assert(errno == 0);
    fmod(1, 0);
    assert(errno == EDOM);
    errno = 0;
    assert(ldexp(1, 5000) > 1e300 && errno == ERANGE);
    assert(floorl(-2.5L) == -3 && truncl(2.5L) == 2 && fmaf(2, 3, 4) == 10);
    return 0;
}
