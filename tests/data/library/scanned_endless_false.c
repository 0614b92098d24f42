// expect: false
// checks: memory
// A word that is read has any length.
#include <stdio.h>

int main(void)
{
    char word[100];
    if (scanf("%*d %s", word) == 1)
        puts("read");
    return 0;
}
