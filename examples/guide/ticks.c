#include <assert.h>

static unsigned long long ticks;
static unsigned overflows;

void on_timer(void)
{
    if (++ticks % 1000 == 0)
        overflows++;
}

int main(void)
{
    unsigned long long now = ticks;
    ticks = 0;
    unsigned long long later = ticks;
    assert(later <= 2);
    assert(now == 0);
    return 0;
}
