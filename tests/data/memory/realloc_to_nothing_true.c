// expect: true
// checks: memory,free,leak
// What `realloc` gives for no bytes is null or can be freed; the old block is gone in both cases.
#include <stdlib.h>
static int shrink(unsigned n) {
    char *block = malloc(n + 1), *less;
    if (!block)
        return 0;
    block[n] = 1;
    less = realloc(block, n);
    if (!less) {
        if (n)
            free(block);
        return 0;
    }
    if (n)
        less[n - 1] = 2;
    free(less);
    return 1;
}
int main(void) {
    char *block = malloc(4);
    block = realloc(block, 0);
    free(block);
    return shrink(0) + shrink(1) + shrink(3) > 3;
}
