// expect: true
// environment: --mmio 0x40000000..0x400000ff
// checks: memory,assertions
// Blocks are copied from registers and to them.
#include <assert.h>
#include <string.h>
int main(void)
{
    unsigned char buffer[8] = {1};
    memcpy((void *)0x40000000u, buffer, sizeof buffer);
    memset((void *)0x40000010u, 0, 4);
    assert(buffer[0] == 1);
    memcpy(buffer, (void *)0x40000020u, 4);
    assert(buffer[7] == 0);
    return 0;
}
