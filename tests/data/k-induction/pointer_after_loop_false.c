// expect: false
// checks: assertions,memory
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
    int *block = malloc(2 * sizeof *block);
    if (!block)
        return 0;
    block[0] = block[1] = 0;
    int *p = block - 1;
    int read = 0;
    for (unsigned i = 0; i < m; i++) {
        if (__VERIFIER_nondet_int())
            p = block;
        if (i == 100 && n <= 5)
            read = *p;
    }
    free(block);
    return read;
}
