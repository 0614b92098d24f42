// expect: true
// checks: memory
// witness: its invariants would have to say where texts from outside lie
// Arguments end somewhere, so that whatever looks for a character or reads a number stops.
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    if (argc < 3)
        return 1;
    if (strchr(argv[1], '='))
        return 2;
    return strtol(argv[2], 0, 10) > 5;
}
