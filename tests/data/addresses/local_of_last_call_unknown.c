// expect: unknown(address of freed memory)
// checks: assertions
// The argument of the second call may lie where that of the first one lay, whose address is kept.
#include <assert.h>

static const int *key;
static int value;

static int twice(const int *p)
{
    if (p != key) {
        key = p;
        value = *p * 2;
    }
    return value;
}

static int f(int x)
{
    int copy = x;
    return twice(&copy);
}

int main(void)
{
    assert(f(1) == 2);
    assert(f(2) == 4);
}
