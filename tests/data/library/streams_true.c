// expect: true
// checks: memory,free,leak
// Each stream is closed at most once; one that is not closed is no lost block.
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    char *block = malloc(3);
    FILE *first = fopen("first", "r"), *second = tmpfile(), *third = fopen("third", "a");
    if (first && first == third)
        block[3] = 0;
    if (third)
        fclose(third);
    if (first)
        fclose(first);
    fclose(stdout);
    free(block);
    return second == NULL;
}
