// expect: true
// checks: assertions
// Local labels (GNU) hide those of the function, and need not be used.
#include <assert.h>

int main(void)
{
    int n = 0;
here:
    n++;
    {
        __label__ here, there;
        if (n == 1)
            goto here;
        n = 10;
    here:
        n++;
    }
    if (n == 2)
        goto here;
    assert(n == 11);
    return 0;
}
