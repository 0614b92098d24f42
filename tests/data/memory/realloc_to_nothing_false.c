// expect: false
// checks: memory,free,leak
// malloc: never-fails
// harness: the harness makes the block that a machine may leave out
// To ask `realloc` for no bytes may free the block and give null.
#include <stdlib.h>
int main(void) {
    char *block = malloc(4);
    char *none = realloc(block, 0);
    if (!none)
        block[0] = 1;
    free(none);
    return 0;
}
