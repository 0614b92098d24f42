// expect: unknown(unsupported: attribute)
// checks: memory,free,leak
// Where a goto leads out of the scope is not known where it stands.
#include <stdlib.h>

static void release(char **block)
{
    free(*block);
}

int main(int argc, char **argv)
{
    {
        __attribute__((cleanup(release))) char *block = malloc(4);
        if (argc > 1)
            goto out;
    }
out:
    return 0;
}
