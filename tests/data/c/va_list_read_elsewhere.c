// expect: unknown(variable argument)
// What is left of the list is the machine's to say: on x86-64, the callee reads the caller's; on others, a copy.
#include <stdarg.h>
extern void reach_error(void);

static int next(va_list list) { return va_arg(list, int); }

static int second(int n, ...)
{
    va_list list;
    va_start(list, n);
    next(list);
    int result = va_arg(list, int);
    va_end(list);
    return result;
}

int main(void)
{
    if (second(1, 1, 2) != 2)
        reach_error();
    return 0;
}
