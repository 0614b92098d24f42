// expect: false
#include <setjmp.h>
extern void __VERIFIER_error(void);
extern int __VERIFIER_nondet_int(void);

static jmp_buf back;

static void leave(int code)
{
    if (code == 42)
        longjmp(back, code);
}

static void stay(int code)
{
    (void)code;
}

int main(void)
{
    void (*act)(int) = __VERIFIER_nondet_int() ? leave : stay;
    int code = setjmp(back);
    if (code == 42)
        __VERIFIER_error();
    act(__VERIFIER_nondet_int());
    return 0;
}
