// expect: true
// environment: --interrupt tick
// Handlers are not interrupted, also in functions that the program calls, too.
#include <assert.h>
static unsigned value;
static unsigned twice(void)
{
    unsigned a = value;
    unsigned b = value;
    return b - a;
}
void tick(void)
{
    assert(twice() == 0);
    value = 5;
}
int main(void)
{
    unsigned difference = twice();
    assert(difference == 0 || difference == 5);
    return 0;
}
