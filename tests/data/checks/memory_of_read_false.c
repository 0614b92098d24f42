// expect: false
// checks: memory
#include <unistd.h>

int main(void)
{
    char b[8];
    if (read(0, b, 9) < 0)
        return 0;
    return b[0] == 'x';
}
