// expect: true
#include <stdarg.h>
#include <stdio.h>
extern void reach_error(void);

static int next(va_list list) { return va_arg(list, int); }
static int next_of(va_list *list) { return va_arg(*list, int); }

static int sum(int n, ...)
{
    va_list list, copy;
    va_start(list, n);
    va_copy(copy, list);
    int first = next(copy);
    va_end(copy);
    next_of(&list);
    int second = va_arg(list, int);
    va_end(list);
    va_start(list, n);
    vprintf("%d %d", list);
    va_end(list);
    return first + second;
}

static void print(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vprintf(format, list);
    va_end(list);
}

int main(void)
{
    print("nothing more");
    if (sum(1, 1, 2) != 3)
        reach_error();
    return 0;
}
