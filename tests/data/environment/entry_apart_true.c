// expect: true
// environment: --entry store
// checks: memory,assertions
// Each argument has an object of its own.
#include <assert.h>
void store(int *a, int *b)
{
    if (!a || !b)
        return;
    *a = 1;
    *b = 2;
    assert(*a == 1);
}
