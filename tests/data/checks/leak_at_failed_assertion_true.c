// expect: true
// checks: leak
#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    char *p = malloc(4);
    free(p);
    assert(__VERIFIER_nondet_int() < 4);
    return 0;
}
