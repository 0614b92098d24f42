// expect: true
#include <assert.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    if (argc < 3)
        return 1;
    char *end;
    long n = strtol(argv[1], &end, 10);
    assert(argv[2] != 0);
    return n > 0;
}
