// expect: true
// checks: memory
// A format and its list are read as they are printed.
#include <stdarg.h>
#include <stdio.h>

static void say(const char *format, ...)
{
    va_list list, again;
    va_start(list, format);
    va_copy(again, list);
    vprintf(format, list);
    vfprintf(stderr, format, again);
    va_end(again);
    va_end(list);
}

int main(void)
{
    char name[4] = {'a', 'b', 'c', 0};
    say("%s is %d\n", name, 3);
    return 0;
}
