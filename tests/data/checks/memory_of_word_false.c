// expect: false
// checks: memory
#include <stdio.h>

int main(void)
{
    char b[4];
    if (scanf("%4s", b) != 1)
        return 0;
    return b[0] == 'x';
}
