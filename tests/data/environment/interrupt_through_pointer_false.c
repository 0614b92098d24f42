// expect: false
// environment: --interrupt fill
// The handler has the address of a local variable.
#include <assert.h>
static int *target;
void fill(void)
{
    if (target)
        *target = 7;
}
int main(void)
{
    int local = 1;
    target = &local;
    int seen = local;
    target = 0;
    assert(seen == 1);
    return 0;
}
