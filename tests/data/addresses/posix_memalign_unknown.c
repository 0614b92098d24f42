// expect: unknown(bits of an address)
// checks: assertions
// The blocks of all alignments come from the same place, so that the least of them is known.
#include <stdint.h>
#include <stdlib.h>
extern void __VERIFIER_error(void);

int main(void)
{
    void *p;
    if (posix_memalign(&p, 64, 10) != 0)
        return 0;
    if ((uintptr_t)p % 64 != 0)
        __VERIFIER_error();
    free(p);
    return 0;
}
