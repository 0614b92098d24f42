// expect: true
// checks: overflow
// Each operator with operands that are just small enough.
#include <limits.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = __VERIFIER_nondet_int();
    signed char c = (signed char)x;
    long product = (long)x * x;
    if (x == INT_MIN || x == INT_MAX)
        return 0;
    int negated = -x;
    int up = x, down = x;
    up++;
    --down;
    c++;
    int half = x / -1;
    int square = x > -46340 && abs(x) < 46341 ? x * x : 0;
    int shifted = (x & 0x7fff) << 16;
    int triple = x > -1000 && x < 1000 ? 3 * x : 0;
    return product < 0 || negated < half || square == up || shifted < triple || up == down;
}
