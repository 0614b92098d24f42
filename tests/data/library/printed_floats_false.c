// expect: false
// The tenth is not exactly one, and 17 digits show it.
#include <assert.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    char text[32];
    sprintf(text, "%.17g", 0.1);
    assert(!strcmp(text, "0.1"));
    return 0;
}
