// expect: false
// value: unknown(value domain too coarse)
// A text is shorter than it seems.
#include <stdio.h>
#include <string.h>

extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    char text[16];
    int x = __VERIFIER_nondet_int();
    if (x < 95 || x > 105)
        return 0;
    sprintf(text, "<%d>", x);
    if (text[3] != '>')
        reach_error();
    return 0;
}
