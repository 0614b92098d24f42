/* Sixteen million iterations that need not be run.   hone check --loop-abstraction on examples/guide/even.c */
#include <assert.h>

int main(void) {
    unsigned x = 0x0ffffff0;
    while (x > 0)
        x -= 2;
    assert(x % 2 == 0);
    return 0;
}
