// expect: true
// checks: memory,free,leak
// A list of arguments is printed into a block, which is freed.
#define _GNU_SOURCE
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void tell(const char *format, ...)
{
    char *text;
    va_list args;
    va_start(args, format);
    int n = vasprintf(&text, format, args);
    va_end(args);
    if (n < 0)
        return;
    if (text[n] != 0 || strlen(text) != (size_t)n)
        text[n + 1] = 0;
    free(text);
}

int main(void)
{
    tell("%s-%c", "one", '2');
    return 0;
}
