// expect: false
// checks: memory
// All of the room may be read, and -1 is a result, too.
#include <unistd.h>

int main(void)
{
    char text[8];
    ssize_t n = read(0, text, sizeof text);
    if (n >= 0)
        text[n] = 0;
    return 0;
}
