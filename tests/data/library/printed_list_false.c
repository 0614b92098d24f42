// expect: false
// checks: memory
// harness: what lies behind the name may be a zero
// The name has no end.
#include <stdarg.h>
#include <stdio.h>

static void say(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vprintf(format, list);
    va_end(list);
}

int main(void)
{
    char name[3] = {'a', 'b', 'c'};
    say("%d %s\n", 3, name);
    return 0;
}
