// expect: true
// The same seed gives the same numbers.
#include <assert.h>
#include <stdlib.h>

int main(void) {
    unsigned short seed[3] = {0x330e, 7, 0};
    srand48(7);
    long first = lrand48();
    assert(nrand48(seed) == first && first >= 0);
    srand48(7);
    assert(lrand48() == first);
    return 0;
}
