// expect: true
// checks: memory
// witness: its invariants would have to say where texts from outside lie
// However long the text is, only as much of it is written as there is room for.
#include <stdio.h>

int main(int argc, char **argv)
{
    char name[8];
    if (argc < 2)
        return 1;
    return snprintf(name, sizeof name, "<%s>", argv[1]) > 7;
}
