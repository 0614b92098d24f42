#include <stdlib.h>
#include <string.h>

extern unsigned __VERIFIER_nondet_uint(void);

static char *copy(const char *text, unsigned len)
{
    char *to = malloc(4);
    memcpy(to, text, len);
    to[len] = 0;
    return to;
}

int main(void)
{
    unsigned len = __VERIFIER_nondet_uint() % 5;
    char *name = copy("hone", len);
    int known = name[0] == 'h';
    if (known)
        free(name);
    return known;
}
