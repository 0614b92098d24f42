// expect: true
// checks: cleanup
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    char *p = malloc(4), *q = p;
    if (__VERIFIER_nondet_int()) {
        p = calloc(2, 2);
        free(q);
    }
    free(p);
    return 0;
}
