// expect: false
// checks: assertions
// Printing may fail.
#include <assert.h>
#include <stdio.h>

int main(void)
{
    int n = printf("text");
    assert(n == 4);
    return 0;
}
