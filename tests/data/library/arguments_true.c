// expect: true
#include <assert.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    if (argc > 1)
        assert(argv[1] != NULL);
    if (argc == 2)
        assert(argv[2] == NULL);
    assert(rand() >= 0);
    return 0;
}
