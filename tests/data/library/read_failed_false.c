// expect: false
// checks: memory
#include <unistd.h>

int main(void)
{
    char block[65];
    block[read(0, block, 64)] = 0;
    return block[0];
}
