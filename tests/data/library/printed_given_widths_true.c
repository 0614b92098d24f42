// expect: true
// Widths and precisions that arguments give; numbers beside them are no bits of the addresses of texts.
#include <assert.h>
#include <stdio.h>
#include <string.h>

static char buffer[64];

int main(void)
{
    assert(snprintf(buffer, sizeof buffer, "%u %lu", -1, -1L) == 31);
    assert(!strcmp(buffer, "4294967295 18446744073709551615"));
    assert(sprintf(buffer, "%.*s|%*s|%-*s|%*s|", 2, "hello", 4, "hi", 4, "hi", -3, "x") == 17);
    assert(!strcmp(buffer, "he|  hi|hi  |x  |"));
    assert(sprintf(buffer, "%.*s|%0*d|%*c|%.*d", -1, "all", 4, 7, 3, 'c', 2, 5) == 15);
    assert(!strcmp(buffer, "all|0007|  c|05"));
    assert(sprintf(buffer, "%-*d|", -4, 7) == 5);
    assert(!strcmp(buffer, "7   |"));
    int so_far;
    assert(sprintf(buffer, "ab%ncd", &so_far) == 4 && so_far == 2);
    return 0;
}
