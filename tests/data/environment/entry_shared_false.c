// expect: false
// environment: --entry store --shared-arguments
// checks: memory,assertions
// Two arguments may lead to one object.
#include <assert.h>
void store(int *a, int *b)
{
    if (!a || !b)
        return;
    *a = 1;
    *b = 2;
    assert(*a == 1);
}
