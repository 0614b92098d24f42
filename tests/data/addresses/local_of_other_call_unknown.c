// expect: unknown(address of freed memory)
// checks: assertions
// Two functions that are called one after the other may have their variables in one place.
#include <assert.h>

static int *last;

static void f(void)
{
    int x = 0;
    last = &x;
}

static void g(void)
{
    int y = 0;
    assert(last - &y != 0);
}

int main(void)
{
    f();
    g();
}
