// expect: true
// checks: memory,free
// The length of a number does not depend on divisions, so that a text that is as long as it has to be is soon known to hold it.
#define _GNU_SOURCE
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

static void say(const char *format, ...)
{
    char *text;
    va_list args;
    va_start(args, format);
    int length = vasprintf(&text, format, args);
    va_end(args);
    if (length >= 0)
        free(text);
}

int main(void)
{
    say("at %d", __VERIFIER_nondet_int());
    return 0;
}
