// expect: false
// checks: cleanup
// It can be reached, but it is not freed.
#include <stdlib.h>

char *kept;

int main(void)
{
    kept = malloc(4);
    return 0;
}
