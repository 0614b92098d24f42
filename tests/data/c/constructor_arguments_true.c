// expect: true
// Constructors get the arguments of the program, as with glibc.
#include <assert.h>

static int count;
static char **first;

__attribute__((constructor)) static void keep(int argc, char **argv)
{
    count = argc;
    first = argv;
}

int main(int argc, char **argv)
{
    assert(count == argc && first == argv && argc > 0);
    return 0;
}
