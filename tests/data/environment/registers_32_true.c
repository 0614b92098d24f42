// expect: true
// environment: --mmio 0x10000000..0x1fffffff
// data-model: ILP32
// checks: memory,assertions
// Objects lie elsewhere, also where the range is one in which they would lie.
#include <assert.h>
static unsigned cell;
static void set(volatile unsigned *at, unsigned value) { *at = value; }
int main(void)
{
    set(&cell, 3);
    set((volatile unsigned *)0x10000000u, 4);
    assert(cell == 3);
    return 0;
}
