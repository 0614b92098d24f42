// expect: true
// checks: memory,assertions
// witness: its invariants would have to say where texts from outside lie
// Texts from outside end for loops of the program, too, also where it changes them.
#include <assert.h>
#include <string.h>

int main(int argc, char **argv)
{
    int found = 0;
    for (int i = 1; i < argc; i++) {
        for (char *at = argv[i]; *at; at++) {
            if (*at == 'x')
                found = 1;
        }
        if (strcmp(argv[i], "-v") == 0 || strstr(argv[i], "=on"))
            found = 1;
    }
    if (argc > 1) {
        char *name = argv[1];
        *name = 'a';
        assert(*name == 'a');
        for (; *name; name++) {
            if (*name >= 'a' && *name <= 'z')
                *name -= 32;
        }
    }
    return found;
}
