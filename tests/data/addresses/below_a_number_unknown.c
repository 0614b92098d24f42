// expect: unknown(bits of an address)
// checks: assertions
#include <assert.h>
#include <stdint.h>

int a[4];

int main(void)
{
    assert((uintptr_t)a < 0x500000000000UL);
}
