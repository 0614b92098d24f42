// expect: unknown(address of freed memory)
// checks: assertions
// What `alloca` gives in the second call may lie where that of the first one lay.
#include <alloca.h>
#include <assert.h>

static int *room(int bytes)
{
    int *a = alloca(bytes);
    *a = 1;
    return a;
}

int main(void)
{
    int *p = room(16), *q = room(16);
    assert(p != q);
    return 0;
}
