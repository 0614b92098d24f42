// expect: false
// checks: memory
#include <stdio.h>

int main(void)
{
    int b[8];
    return fread(b, 4, 9, stdin) == 9 && b[0] == 7;
}
