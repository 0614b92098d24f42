// expect: false
// Evaluating the operand of `sizeof` changes `n`, because its type is an array of variable length.
#include <assert.h>

int main(void)
{
    int n = 3, c[2][n];
    unsigned long s = sizeof c[n = 0];
    assert(s == 12);
    assert(n == 3);
    return 0;
}
