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
    int *items = calloc(n, sizeof *items);
    if (!items)
        return 1;
    for (int *low = items, *high = items + n; low < high; low++) {
        high--;
        int item = *low;
        *low = *high;
        *high = item;
    }
    free(items);
    return 0;
}
