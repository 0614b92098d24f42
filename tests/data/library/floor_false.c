// expect: false
// Programs that show an error are linked with the library of mathematics.
#include <assert.h>
#include <math.h>
extern double nondet_double(void);

int main(void) {
    assert(floor(nondet_double()) != 7);
    return 0;
}
