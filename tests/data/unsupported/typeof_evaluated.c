// expect: unknown(typeof)
// C evaluates the operand of `typeof` once, GCC for each declarator.
#include <assert.h>

int main(void)
{
    int n = 3, c[2][n], i = 0;
    typeof(c[i++]) x, y;
    assert(i == 1);
    return 0;
}
