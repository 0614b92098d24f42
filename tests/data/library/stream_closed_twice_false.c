// expect: false
// checks: memory,free
#include <stdio.h>

int main(void)
{
    FILE *first = fopen("first", "r"), *second = fopen("second", "w");
    if (first)
        fclose(first);
    if (second)
        fclose(second);
    if (first && second)
        fclose(first);
    return 0;
}
