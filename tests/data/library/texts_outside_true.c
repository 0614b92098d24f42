// expect: true
// checks: memory
// witness: its invariants would have to say where texts from outside lie
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    const char *home = getenv("HOME");
    if (home && strlen(home) > 5)
        return 2;
    if (argc < 2)
        return 1;
    return strcmp(argv[1], "x") == 0 ? 0 : (int)(strlen(argv[1]) % 7);
}
