// expect: false
#include <stdio.h>
extern void __VERIFIER_error(void);

int main(void)
{
    if (printf("ab\0cd") == 2)
        __VERIFIER_error();
    return 0;
}
