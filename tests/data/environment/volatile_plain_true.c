// expect: true
// By default, a volatile object is a variable as any other.
#include <assert.h>
volatile int flag;
int main(void)
{
    flag = 0;
    int seen = flag;
    assert(seen == 0);
    return 0;
}
