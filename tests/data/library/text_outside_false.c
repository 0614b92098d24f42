// expect: false
// checks: memory
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char name[4];
    const char *home = getenv("HOME");
    if (home && strlen(home) <= sizeof name)
        strcpy(name, home);
    return 0;
}
