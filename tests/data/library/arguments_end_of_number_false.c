// expect: false
#include <assert.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    if (argc != 2)
        return 1;
    strtol("7", &argv[1], 10);
    assert(argv[1][0] != 0);
    return 0;
}
