// expect: true
// environment: --interrupt up,down
// Two handlers, in any order.
#include <assert.h>
static int level = 2;
void up(void)
{
    if (level < 4)
        level++;
}
void down(void)
{
    if (level > 0)
        level--;
}
int main(void)
{
    int seen = level;
    assert(seen >= 0 && seen <= 4);
    return 0;
}
