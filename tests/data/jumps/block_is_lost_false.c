// expect: false
// checks: leak
#include <setjmp.h>
#include <stdlib.h>

static jmp_buf back;

static void work(int fails)
{
    char *block = malloc(10);
    if (fails)
        longjmp(back, 1);
    free(block);
}

int main(void)
{
    if (setjmp(back) == 0)
        work(1);
    return 0;
}
