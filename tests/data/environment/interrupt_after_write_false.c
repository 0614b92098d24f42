// expect: false
// environment: --interrupt check
// The handler may run after the last access of the program.
#include <assert.h>
static int level;
void check(void) { assert(level < 3); }
int main(void)
{
    level = 3;
    for (;;)
        ;
}
