// expect: unknown(address of freed memory)
// checks: assertions
// The second array may lie where the first one lay.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 4)
        return 0;
    int *p;
    {
        int first[n];
        first[0] = 1;
        p = first;
    }
    {
        int second[n];
        second[0] = 1;
        assert(p != second);
    }
    return 0;
}
