// expect: true
// checks: assertions,overflow
// How much is printed has bounds, and so has a character.
#include <assert.h>
#include <stdio.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = printf("%d: %-8.3s|\n", __VERIFIER_nondet_int(), "text");
    assert(n == -1 || n >= 13);
    n += fprintf(stderr, "%5x", __VERIFIER_nondet_int());
    int c = getchar();
    assert(c >= -1 && c <= 255);
    return n + c + 1;
}
