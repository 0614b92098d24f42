// expect: false
// A precision that an argument gives is the least number of digits.
#include <assert.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    char buffer[8];
    sprintf(buffer, "%.*d", 2, 5);
    assert(!strcmp(buffer, "5"));
    return 0;
}
