// expect: false
// environment: --mmio 0x40000000..0x5fffffff
// checks: memory,assertions
// What a register holds may change between two reads.
#include <assert.h>
#include <stdint.h>
#define STATUS (*(volatile uint32_t *)0x40001000u)
int main(void)
{
    uint32_t a = STATUS;
    uint32_t b = STATUS;
    assert(a == b);
    return 0;
}
