// expect: false
// environment: --volatile inputs
// Somebody else may write to a volatile object between the write and the read.
#include <assert.h>
volatile int flag;
int main(void)
{
    flag = 0;
    int seen = flag;
    assert(seen == 0);
    return 0;
}
