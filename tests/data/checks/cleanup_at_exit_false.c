// expect: false
// checks: cleanup
#include <stdlib.h>
static int *kept;
static void clean(void)
{
    if (*kept)
        free(kept);
}

int main(void)
{
    kept = calloc(1, sizeof *kept);
    if (kept)
        atexit(clean);
    return 0;
}
