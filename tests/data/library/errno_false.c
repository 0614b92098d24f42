// expect: false
#include <assert.h>
#include <errno.h>
#include <unistd.h>

int main(void)
{
    errno = 0;
    close(3);
    assert(errno == 0);
    return 0;
}
