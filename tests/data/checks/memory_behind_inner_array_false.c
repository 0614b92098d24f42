// expect: false
// checks: memory
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int m[2][3] = {0}, i = __VERIFIER_nondet_int();
    if (i < 3 || i > 4)
        return 0;
    m[0][i] = 1;
    int *shifted = (int *)((char *)m + 1);
    *shifted = 2;
    char *p = malloc(4);
    if (p)
        p[i] = 1;
    free(p);
    return 0;
}
