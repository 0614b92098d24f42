// expect: unknown(bits of an address)
// checks: assertions
#include <stdlib.h>
extern void __VERIFIER_error(void);

int main(void)
{
    char *p = malloc(10), *q = malloc(10);
    if (p && q && p > q)
        __VERIFIER_error();
    free(p);
    free(q);
    return 0;
}
