// expect: true
// Handlers run in reverse order, at the end of main.
#include <assert.h>
#include <stdlib.h>

static int steps;

static void last(void)
{
    assert(steps == 2);
}

static void first(void)
{
    assert(steps == 1);
    steps = 2;
}

int main(void)
{
    atexit(last);
    atexit(first);
    steps = 1;
    return 0;
}
