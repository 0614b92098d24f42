// expect: true
// The inner handler is asked first, and may give on what it got.
#include <setjmp.h>
extern void __VERIFIER_error(void);

static jmp_buf *handler;

static void raise(int code)
{
    longjmp(*handler, code);
}

static int guarded(int code)
{
    jmp_buf own;
    jmp_buf *outer = handler;
    handler = &own;
    int caught = setjmp(own);
    if (caught == 0)
        raise(code);
    handler = outer;
    if (caught == 2)
        raise(caught + 1);
    return caught;
}

int main(void)
{
    jmp_buf own;
    handler = &own;
    int caught = setjmp(own);
    if (caught == 0) {
        if (guarded(1) != 1)
            __VERIFIER_error();
        guarded(2);
        __VERIFIER_error();
    }
    if (caught != 3)
        __VERIFIER_error();
    return 0;
}
