// expect: true
// checks: memory,free,leak
// malloc: may-fail
#include <stdlib.h>

int main(void)
{
    int *p = malloc(4 * sizeof *p);
    if (!p)
        return 1;
    int *q = realloc(p, 8 * sizeof *q);
    if (!q) {
        p[3] = 1;
        free(p);
        return 1;
    }
    q[7] = 1;
    free(q);
    return 0;
}
