// expect: false
// checks: memory
// Nothing ends what is printed.
#include <stdio.h>
#include <string.h>

int main(void)
{
    char name[4];
    memcpy(name, "hone", 4);
    printf("%s\n", name);
    return 0;
}
