// expect: false
// environment: --mmio 0x40000000..0x400000ff
// checks: memory
// An access that leaves the range is as bad as any other to no object.
#include <stdint.h>
extern unsigned __VERIFIER_nondet_uint(void);
int main(void)
{
    volatile uint32_t *registers = (volatile uint32_t *)0x40000000u;
    unsigned i = __VERIFIER_nondet_uint();
    if (i > 64)
        return 0;
    return registers[i] != 0;
}
