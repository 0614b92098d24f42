// expect: false
// What is known of an address is said where another exploration made the block.
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    unsigned m = __VERIFIER_nondet_int();
    if (m > 130)
        return 0;
    int n = 0;
    while (__VERIFIER_nondet_int()) {
        n++;
        if (n > 5)
            n = 0;
    }
    char *block = malloc(100000);
    if (!block)
        return 0;
    unsigned long begin = (unsigned long)block, at = begin + 400;
    for (unsigned long i = 0; i < m; i++) {
        assert(at >= begin || n > 5);
        at -= 4;
    }
    free(block);
    return 0;
}
