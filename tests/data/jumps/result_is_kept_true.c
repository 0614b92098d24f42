// expect: true
// bam-value: unknown(proof not confirmed)
// What is jumped out of gives no result.
#include <setjmp.h>
extern void __VERIFIER_error(void);

static jmp_buf back;

static int fails(void)
{
    longjmp(back, 1);
}

int main(void)
{
    volatile int x = 5;
    static int y = 6;
    if (setjmp(back) == 0) {
        y = fails();
        x = y;
    }
    if (x != 5 || y != 6)
        __VERIFIER_error();
    return 0;
}
