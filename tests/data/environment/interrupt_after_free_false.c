// expect: false
// checks: memory
// environment: --interrupt handler
// malloc: never-fails
// The block ends, and nothing is accessed behind it.
#include <stdlib.h>
static int *p;
void handler(void)
{
    if (p)
        *p = 1;
}
int main(void)
{
    p = malloc(4);
    free(p);
    return 0;
}
