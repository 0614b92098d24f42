// expect: true
// checks: assertions,memory
// witness: no C expression says where the block ends
#include <stdlib.h>

extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint();
    if (n > 100000)
        return 0;
    int *items = malloc(n * sizeof *items);
    if (!items)
        return 1;
    int *end = items + n;
    for (int *p = items; p != end; p++)
        *p = 0;
    for (int *p = end; p != items;) {
        --p;
        *p = 1;
    }
    free(items);
    return 0;
}
