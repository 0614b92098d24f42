// expect: true
// checks: free
#include <stdlib.h>

extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint();
    int local = 0;
    if (n * 2 % 2 == 1)
        free(&local);
    return 0;
}
