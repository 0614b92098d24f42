// expect: true
#include <stdint.h>
#include <stdlib.h>
extern void __VERIFIER_error(void);

int main(void)
{
    char *p = aligned_alloc(256, 512);
    if (p == NULL)
        return 1;
    if ((uintptr_t)p % 256 != 0)
        __VERIFIER_error();
    char *q = (char *)(((uintptr_t)p + 100) & ~(uintptr_t)63);
    if (q != p + 64)
        __VERIFIER_error();
    *q = 1;
    free(p);
    return 0;
}
