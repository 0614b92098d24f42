// expect: false
// environment: --havoc-arguments
// All elements behind a pointer may be written, also by a call through a pointer to the function.
#include <assert.h>
extern void fill(int *numbers, int length);
static void (*const filler)(int *, int) = fill;
static int last(int *numbers, int length)
{
    filler(numbers, length);
    return numbers[length - 1];
}
int main(void)
{
    int numbers[3] = {1, 2, 3};
    assert(last(numbers, 3) == 3);
    return 0;
}
