// expect: unknown(address of freed memory)
// checks: assertions
// The second block may lie where the first one lay.
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

int main(void)
{
    char *p = malloc(4);
    if (!p)
        return 0;
    free(p);
    char *q = malloc(4);
    if (!q)
        return 0;
    uintptr_t distance = (uintptr_t)q - (uintptr_t)p;
    assert(distance != 0);
}
