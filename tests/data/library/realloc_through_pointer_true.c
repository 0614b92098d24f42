// expect: true
// checks: assertions,memory,free,leak
#include <assert.h>
#include <stdlib.h>

static struct {
    void *(*allocate)(size_t);
    void *(*resize)(void *, size_t);
} hooks = {malloc, realloc};

int main(void) {
    char *p = hooks.allocate(4);
    if (!p)
        return 0;
    p[0] = 5;
    char *q = hooks.resize(p, 8);
    if (!q) {
        free(p);
        return 0;
    }
    assert(q[0] == 5);
    free(q);
}
