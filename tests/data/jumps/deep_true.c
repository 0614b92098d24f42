// expect: true
#include <setjmp.h>
#include <stdlib.h>
extern void __VERIFIER_error(void);
extern int __VERIFIER_nondet_int(void);

static jmp_buf failed;
static int depth;

static int parse(int n)
{
    depth++;
    if (n < 0)
        longjmp(failed, 7);
    return n == 0 ? 0 : 1 + parse(n - 3);
}

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n > 5)
        return 0;
    volatile int result = -1;
    int code = setjmp(failed);
    if (code == 0) {
        result = parse(n);
        if (n < 0 || n % 3 != 0)
            __VERIFIER_error();
    } else if (code != 7 || result != -1) {
        __VERIFIER_error();
    }
    return depth < 1;
}
