// expect: false
#include <assert.h>
#include <string.h>
int main(int argc, char **argv)
{
    if (argc != 2)
        return 1;
    while (strsep(&argv[1], ","))
        ;
    assert(argv[1] != 0);
    return 0;
}
