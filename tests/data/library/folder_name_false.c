// expect: false
// checks: leak
#include <stddef.h>
#include <unistd.h>

static int is_root(void)
{
    char *name = getcwd(NULL, 0);
    return name && name[0] == '/';
}

int main(void)
{
    return is_root();
}
