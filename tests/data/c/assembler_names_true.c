// expect: true
// Assembler outside of functions gives functions other names.
#include <assert.h>
int first(int x)
{
    return x + 1;
}
__asm__(".globl second\n.set second, first");
__asm__(".symver first, third@VERSION_1");
extern int second(int x);
extern int third(int x);
int main(void)
{
    assert(second(3) == 4);
    assert(third(4) == 5);
    return 0;
}
