// expect: false
// environment: --interrupt tick --max-interrupts 1
// An increment reads first and writes later: what the handler does in between is lost.
#include <assert.h>
static unsigned count, calls;
void tick(void)
{
    count++;
    calls++;
}
int main(void)
{
    count++;
    unsigned seen = calls;
    unsigned all = count;
    assert(all >= seen + 1);
    return 0;
}
