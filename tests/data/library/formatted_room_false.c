// expect: false
// checks: memory
// The longest number needs one byte more.
#include <stdio.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    char text[5];
    int x = __VERIFIER_nondet_int();
    if (x < 0 || x > 10000)
        return 0;
    sprintf(text, "%d", x);
    return text[0];
}
