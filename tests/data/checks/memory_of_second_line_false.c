// expect: false
// checks: memory
#include <stdio.h>

int main(void)
{
    char b[8];
    int n = 8;
    while (fgets(b, n, stdin))
        if (b[0] == 'y')
            n++;
    return 0;
}
