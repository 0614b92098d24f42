// expect: true
// checks: memory,free,leak
// Heap, stack frames, scopes and string literals, each accessed while it is alive and inside.
#include <stdlib.h>

struct pair {
    int first, second;
};

static int sum(const struct pair *p)
{
    return p->first + p->second;
}

int main(void)
{
    struct pair *p = malloc(sizeof *p);
    int values[4] = {1, 2, 3, 4};
    const char *text = "abc";
    p->first = text[3];
    p->second = values[3];
    int result = sum(p);
    {
        int inner = result;
        int *to = &inner;
        result = *to;
    }
    free(p);
    return result == 4 ? 0 : 1;
}
