// expect: false
// The smallest number is no error, but half of it is.
#include <assert.h>
#include <errno.h>
#include <math.h>

int nondet_int(void);

int main(void) {
    double x = nondet_int() ? 1 : 0.5;
    errno = 0;
    ldexp(x, -1074);
    assert(errno == 0);
    return 0;
}
