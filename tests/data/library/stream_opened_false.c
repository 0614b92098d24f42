// expect: false
// checks: memory
#include <stdio.h>
int main(void)
{
    int *p = 0;
    FILE *first = fopen("no/such/file", "r");
    FILE *second = fopen("no/such/file/either", "r");
    if (first && !second)
        return *p;
    return 0;
}
