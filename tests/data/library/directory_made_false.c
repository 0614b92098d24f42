// expect: false
// checks: assertions
// Without an array for it, the name lies in memory that the function makes.
#include <assert.h>
#include <stddef.h>
#include <unistd.h>

int main(void)
{
    assert(!getcwd(NULL, 0));
    return 0;
}
