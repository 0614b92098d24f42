// expect: true
// checks: memory,free
// environment: --interrupt handler
// malloc: never-fails
// The pointer is taken away from the handler before the block, and the variable, end.
#include <stdlib.h>
static int *p, *last;
void handler(void)
{
    if (p)
        *p = 1;
}
static void lend(void)
{
    int x;
    p = &x;
    p = 0;
}
int main(void)
{
    p = malloc(4);
    last = p;
    p = 0;
    free(last);
    lend();
    return 0;
}
