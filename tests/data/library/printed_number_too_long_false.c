// expect: false
// checks: memory
// The longest of the numbers has three characters, and a null character follows.
#include <stdio.h>
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    char text[3];
    int n = __VERIFIER_nondet_int();
    if (n < -9 || n > 120)
        return 0;
    sprintf(text, "%d", n);
    return text[0];
}
