// expect: false
// with: ../../parts/symbols.c
// Both names are those of one variable.
#include <assert.h>

extern int cell __asm__("stored");
extern int stored;

int main(void)
{
    stored = 1;
    cell++;
    assert(stored == 1);
    return 0;
}
