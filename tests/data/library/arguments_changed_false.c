// expect: false
#include <assert.h>
static void set(char **strings, int i)
{
    strings[i] = 0;
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return 1;
    set(argv, 1);
    assert(argv[1] != 0);
    return 0;
}
