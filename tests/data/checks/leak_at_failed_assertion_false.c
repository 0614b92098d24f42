// expect: false
// checks: leak
#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    char *p = malloc(4);
    if (!p)
        return 0;
    if (n >= 4)
        p = 0;
    assert(n < 4);
    free(p);
    return 0;
}
