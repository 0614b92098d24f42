// expect: false
// environment: --interrupt tick
// The handler may run between two reads of one expression.
#include <assert.h>
static unsigned ticks;
void tick(void) { ticks++; }
int main(void)
{
    assert(ticks == ticks);
    return 0;
}
