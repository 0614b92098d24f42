// expect: false
// checks: memory
// malloc: may-fail
#include <stdlib.h>

int main(void)
{
    int *first = malloc(sizeof *first), *second = calloc(2, sizeof *second);
    if (first)
        *first = 1;
    second[1] = 2;
    return 0;
}
