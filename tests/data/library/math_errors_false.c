// expect: false
// The smallest difference from zero is no error, but half of the smallest number is.
#include <assert.h>
#include <errno.h>
#include <math.h>

double nondet_double(void);

int main(void) {
    double x = nondet_double();
    if (!(x > 0 && x < 1))
        return 0;
    errno = 0;
    ldexp(x, -1060);
    assert(errno == 0);
    return 0;
}
