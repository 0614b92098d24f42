// expect: false
// checks: memory
// harness: the sanitizers do not know what `poll` writes
#include <poll.h>

int main(void)
{
    struct pollfd polled[1] = {{.fd = 0, .events = POLLIN}};
    return poll(polled, 2, 0) < 0;
}
