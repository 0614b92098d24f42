// expect: false
// checks: memory,free
// The block is freed here, and once more where the variable goes out of scope.
#include <stdlib.h>

static void release(char **block)
{
    free(*block);
}

int main(void)
{
    __attribute__((cleanup(release))) char *block = malloc(4);
    free(block);
    return 0;
}
