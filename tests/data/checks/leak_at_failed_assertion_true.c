// expect: true
// checks: leak
#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

static char *p;

int main(void)
{
    p = malloc(4);
    assert(__VERIFIER_nondet_int() < 4);
    free(p);
    return 0;
}
