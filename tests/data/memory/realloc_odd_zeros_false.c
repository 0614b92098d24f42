// expect: false
// checks: assertions
// The bytes behind a block of zeros whose size is no multiple of its elements are anything once it has grown.

#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    char *p = calloc(6, 1);
    if (!p)
        return 0;
    int i = __VERIFIER_nondet_int();
    if (i != 0)
        return 0;
    ((int *)p)[i] = 7;
    char *q = realloc(p, 8);
    if (!q) {
        free(p);
        return 0;
    }
    assert(q[5] == 0);
    int is_zero = q[6] == 0;
    assert(is_zero);
    free(q);
}
