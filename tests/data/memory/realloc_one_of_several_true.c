// expect: true
#include <assert.h>
#include <stdlib.h>

extern unsigned __VERIFIER_nondet_uint(void);

/* One of two blocks, or none, becomes a greater one. */
int main(void)
{
    unsigned char small[2] = {1, 2};
    unsigned char *p = NULL;
    unsigned n = __VERIFIER_nondet_uint() % 3;
    if (n == 1) {
        p = malloc(2);
        p[0] = 7;
        p[1] = 8;
    } else if (n == 2) {
        p = calloc(3, 1);
        p[1] = 9;
    }
    p = realloc(p, 8);
    if (n == 1)
        assert(p[0] == 7 && p[1] == 8);
    if (n == 2)
        assert(p[0] == 0 && p[1] == 9 && p[2] == 0);
    p[7] = small[0];
    if (n == 2)
        p = realloc(p, 2);
    assert(n != 1 || p[7] == 1);
    assert(n != 2 || p[1] == 9);
    free(p);
    return 0;
}
