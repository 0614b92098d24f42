// expect: false
// checks: cleanup
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    void *p = realloc(0, 0);
    if (__VERIFIER_nondet_int() != 3)
        free(p);
    return 0;
}
