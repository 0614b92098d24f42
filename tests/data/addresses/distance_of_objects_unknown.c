// expect: unknown(bits of an address)
// checks: assertions
#include <assert.h>
#include <stdint.h>

int a[4], b[4];

int main(void)
{
    uintptr_t distance = (uintptr_t)b - (uintptr_t)a;
    assert(distance != 16);
}
