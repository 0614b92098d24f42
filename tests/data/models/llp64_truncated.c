// expect: false
// data-model: LLP64
// The address of an object is cut to a `long` of 32 bits.
#include <assert.h>

int object;

int main(void) {
    long address = (long)&object;
    assert((int *)(unsigned long long)(unsigned long)address == &object);
    return 0;
}
