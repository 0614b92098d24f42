// expect: false
// checks: free
// environment: --interrupt handler
// malloc: never-fails
// The handler may free the block before the program does.
#include <stdlib.h>
static int *p;
void handler(void)
{
    free(p);
    p = 0;
}
int main(void)
{
    p = malloc(4);
    int *q = p;
    free(q);
    return 0;
}
