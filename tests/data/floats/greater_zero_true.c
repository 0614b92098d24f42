// expect: true
// Of two zeros, one is the greater one; with one sign, they are the same.
#include <assert.h>
#include <math.h>

int main(void) {
    double less = -0.0, zero = 0.0;
    assert(fmax(less, zero) == 0 && fmin(zero, less) == 0);
    assert(signbit(fmax(less, less)) && !signbit(fmin(zero, zero)));
    assert(signbit(fmin(less, 1)) && !signbit(fmax(zero, -1)));
    return 0;
}
