// expect: false
// C leaves open which of two zeros is the greater one.
#include <assert.h>
#include <math.h>

int main(void) {
    double less = -0.0, zero = 0.0;
    assert(signbit(fmax(less, zero)));
    return 0;
}
