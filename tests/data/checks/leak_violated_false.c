// expect: false
// checks: leak
// The first block is lost when the pointer gets the second one.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

char *kept;

int main(void)
{
    kept = malloc(4);
    if (__VERIFIER_nondet_int() == 12)
        kept = malloc(8);
    return 0;
}
