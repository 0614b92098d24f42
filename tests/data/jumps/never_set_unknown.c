// expect: unknown(longjmp)
#include <setjmp.h>

static jmp_buf back;

int main(void)
{
    longjmp(back, 1);
}
