// expect: true
// checks: free
// A flag tells whether the block is live.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    char *p = 0;
    int owned = 0;
    while (__VERIFIER_nondet_int()) {
        if (owned)
            free(p);
        else
            p = malloc(1);
        owned = !owned;
    }
    if (owned)
        free(p);
    return 0;
}
