// expect: false
// checks: free
// malloc: may-fail
#include <stdlib.h>

int main(void)
{
    char *p = malloc(4);
    if (!p)
        return 0;
    char *q = malloc(4);
    if (!q) {
        if (!realloc(p, 0))
            free(p);
    } else {
        free(p);
        free(q);
    }
    return 0;
}
