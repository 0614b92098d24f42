// expect: true
// checks: memory,free,leak
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(void)
{
    char *name = getcwd(NULL, 0);
    if (!name)
        return 1;
    int is_root = name[0] == '/' && name[1] == 0;
    free(name);
    return is_root;
}
