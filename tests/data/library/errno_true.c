// expect: true
// A function of the library may set it, but not to zero.
#include <assert.h>
#include <errno.h>
#include <unistd.h>

int main(void)
{
    errno = EINTR;
    assert(errno == EINTR);
    if (close(3) < 0)
        assert(errno != 0);
    return 0;
}
