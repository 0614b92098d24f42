// expect: false
// data-model: ILP32
// checks: assertions
// A block of 512 MiB: room that one exploration has need not be there for the next.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 0x08000000)
        n = 1;
    int *block = malloc(n * sizeof(int));
    if (!block)
        return 1;
    for (int i = 0; i < n; i++) {
        block[i] = 1;
        if (n == 0x08000000 && i > 10)
            reach_error();
    }
    free(block);
    return 0;
}
