// expect: false
// checks: leak
// Nobody frees what was printed.
#define _GNU_SOURCE
#include <stdio.h>

int main(void)
{
    char *text;
    int n = asprintf(&text, "%d", 12);
    return n < 0;
}
