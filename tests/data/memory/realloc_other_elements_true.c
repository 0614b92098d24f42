// expect: true
// One block was an array of `int`, the other one of `char`, when they grow.

#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    unsigned char *p;
    int i = __VERIFIER_nondet_int();
    if (i < 0 || i > 2)
        return 0;
    int which = __VERIFIER_nondet_int();
    if (which) {
        int *ints = calloc(3, sizeof(int));
        if (!ints)
            return 0;
        ints[i] = 0x01020304;
        p = (unsigned char *)ints;
    } else {
        p = malloc(12);
        if (!p)
            return 0;
        for (int k = 0; k < 12; k++)
            p[k] = 0;
        p[4 * i] = 4;
    }
    unsigned char *q = realloc(p, 16);
    if (!q) {
        free(p);
        return 0;
    }
    assert(q[4 * i] == 4);
    assert(q[4 * i + 1] == (which ? 3 : 0));
    assert(q[(4 * i + 4) % 12] == 0);
    free(q);
}
