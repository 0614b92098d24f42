// expect: false
#include <assert.h>
union both {
    char **strings;
    void **pointers;
};

int main(int argc, char **argv)
{
    union both arguments;
    arguments.strings = argv;
    arguments.pointers[0] = 0;
    assert(argv[0] != 0);
    return 0;
}
