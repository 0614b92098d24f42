// expect: false
// checks: free
// Freed twice where the condition holds twice.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    char *p = malloc(4);
    if (__VERIFIER_nondet_int() > 5)
        free(p);
    if (__VERIFIER_nondet_int() > 5)
        free(p);
    return 0;
}
