// expect: true
// checks: cleanup
// No run gets to the block that is kept.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
char *kept;

int main(void)
{
    int x = __VERIFIER_nondet_int();
    if (x > 3 && x < 3)
        kept = malloc(4);
    return 0;
}
