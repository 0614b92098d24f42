// expect: false
// checks: memory
#include <poll.h>

int main(void)
{
    struct pollfd polled[1] = {{.fd = 0, .events = POLLIN}};
    return poll(polled, 2, 0) < 0;
}
