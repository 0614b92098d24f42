// expect: true
// checks: memory
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    perror(NULL);
    return system(NULL) ? 0 : 1;
}
