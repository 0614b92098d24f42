// expect: false
// checks: memory
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    short *count = malloc(sizeof *count);
    if (count) {
        printf("ab%n\n", (int *)count);
    }
    free(count);
    return 0;
}
