// expect: true
// checks: assertions,memory,free,leak,cleanup
// malloc: may-fail
#include <assert.h>
#include <stdlib.h>
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    char *p = malloc(4);
    unsigned n = __VERIFIER_nondet_uint();
    if (!p || n > 2)
        return 0 * (free(p), 0);
    char *q = realloc(p, n);
    if (n == 0)
        assert(q == 0);
    else if (!q)
        free(p);
    else
        q[n - 1] = 0;
    free(q);
    free(realloc(0, 0));
    return 0;
}
