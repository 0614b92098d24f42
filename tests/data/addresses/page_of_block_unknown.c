// expect: unknown(bits of an address)
// checks: assertions
// On a machine the block may well lie there in its page.
#include <stdlib.h>
extern void __VERIFIER_error(void);

int main(void)
{
    char *p = malloc(10);
    if (p && ((unsigned long)p & 0xfff) == 0x550)
        __VERIFIER_error();
    free(p);
    return 0;
}
