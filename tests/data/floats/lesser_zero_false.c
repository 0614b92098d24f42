// expect: false
// harness: compilers and libraries choose the other zero
// C leaves open which of two zeros is the lesser one.
#include <assert.h>
#include <math.h>

int main(void) {
    float less = -0.0f, zero = 0.0f;
    assert(signbit(fminf(zero, less)));
    return 0;
}
