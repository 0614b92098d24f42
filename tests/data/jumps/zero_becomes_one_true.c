// expect: true
#include <setjmp.h>
extern void __VERIFIER_error(void);

int main(void)
{
    jmp_buf here;
    volatile int times = 0;
    switch (setjmp(here)) {
    case 0:
        times++;
        longjmp(here, 0);
    case 1:
        if (times != 1)
            __VERIFIER_error();
        return 0;
    }
    __VERIFIER_error();
    return 1;
}
