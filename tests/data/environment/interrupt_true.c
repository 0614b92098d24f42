// expect: true
// environment: --interrupt tick
// The handler keeps an invariant, whenever it runs.
#include <assert.h>
static int ticks;
void tick(void)
{
    if (ticks < 10)
        ticks++;
}
int main(void)
{
    int before = ticks;
    int after = ticks;
    assert(before <= after);
    assert(after <= 10);
    return 0;
}
