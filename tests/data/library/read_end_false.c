// expect: false
// checks: memory
#include <unistd.h>

int main(void)
{
    char block[64];
    ssize_t n = read(0, block, sizeof block);
    if (n < 0)
        return 1;
    block[n] = 0;
    return block[0];
}
