// expect: false
// environment: --endianness big
// The program takes the machine for a little-endian one.
#include <assert.h>

int main(void) {
    union { unsigned number; unsigned char first; } u = {1};
    assert(u.first == 1);
    return 0;
}
