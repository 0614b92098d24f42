// expect: true
// with: ../../parts/counter.c
// `count` and `step` of the two files are not the same.
#include <assert.h>

int next(void);

static int count = 100;

static int step(void)
{
    return 10;
}

int main(void)
{
    next();
    count += step();
    assert(next() == 2 && count == 110);
    return 0;
}
