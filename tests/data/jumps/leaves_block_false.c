// expect: false
// harness: sanitizers see the end of a block only where control gets there
// checks: memory
// The object of the block that the jump leaves is gone.
#include <setjmp.h>

int main(void)
{
    jmp_buf here;
    int *volatile p = 0;
    if (setjmp(here) == 0) {
        int inner = 1;
        p = &inner;
        longjmp(here, 1);
    }
    return *p;
}
