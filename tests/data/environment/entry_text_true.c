// expect: true
// environment: --entry length --strings terminated --max-elements 4
// checks: memory,assertions
// Texts end with a zero.
#include <assert.h>
int length(const char *text)
{
    int n = 0;
    if (!text)
        return 0;
    while (text[n])
        n++;
    assert(n < 4);
    return n;
}
