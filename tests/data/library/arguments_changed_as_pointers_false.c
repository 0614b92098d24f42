// expect: false
#include <assert.h>
#include <string.h>
int main(int argc, char **argv)
{
    if (argc != 2)
        return 1;
    memmove(argv + 1, argv + 2, sizeof *argv);
    assert(argv[1] != 0);
    return 0;
}
