// expect: true
// environment: --interrupt tick --max-interrupts 2
// The handler runs twice at most.
#include <assert.h>
static unsigned ticks;
void tick(void) { ticks++; }
int main(void)
{
    unsigned first = ticks;
    unsigned second = ticks;
    assert(second <= 2 && first <= second);
    return 0;
}
