// expect: true
// checks: memory
// No more than was asked for is read, so that there is room for a zero.
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

int main(void)
{
    char text[8];
    ssize_t n = read(0, text, sizeof text - 1);
    if (n > 0)
        text[n] = 0;
    n = recv(0, text, 7, 0);
    if (n >= 0)
        text[n] = 0;
    size_t items = fread(text, 2, 3, stdin);
    text[2 * items] = 0;
    return 0;
}
