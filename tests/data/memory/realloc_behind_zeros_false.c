// expect: false
#include <assert.h>
#include <stdlib.h>

extern unsigned __VERIFIER_nondet_uint(void);

/* What is behind the end of the block of zeros is anything. */
int main(void)
{
    unsigned n = __VERIFIER_nondet_uint();
    unsigned *p = n ? calloc(2, sizeof *p) : malloc(sizeof *p);
    p[0] = 5;
    p = realloc(p, 3 * sizeof *p);
    assert(p[0] == 5);
    assert(p[2] == 0);
    free(p);
    return 0;
}
