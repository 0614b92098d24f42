// expect: false
// environment: --havoc-arguments
// A function without a body may write to the object that it is given.
#include <assert.h>
extern void configure(int *value);
int main(void)
{
    int value = 3;
    configure(&value);
    assert(value == 3);
    return 0;
}
