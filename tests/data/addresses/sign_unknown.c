// expect: unknown(bits of an address)
// data-model: ILP32
// checks: assertions
// With 32 bits, objects lie in both halves of the address space.
#include <assert.h>
#include <stdint.h>

int main(void)
{
    int x;
    assert((intptr_t)&x > 0);
}
