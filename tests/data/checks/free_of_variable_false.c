// expect: false
// checks: free
#include <stdlib.h>

int main(void)
{
    int on_stack[2];
    int *p = on_stack;
    free(p);
    return 0;
}
