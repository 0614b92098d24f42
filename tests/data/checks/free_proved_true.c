// expect: true
// checks: free
// Null may be freed, and each block once.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    char *p = __VERIFIER_nondet_int() ? malloc(4) : 0;
    free(p);
    p = malloc(2);
    p = realloc(p, 8);
    free(p);
    return 0;
}
