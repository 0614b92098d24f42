// expect: false
// checks: memory
#include <string.h>
int main(void)
{
    char small[8], large[16];
    memset(large, 'x', sizeof large);
    memcpy(small, large, sizeof large);
    return small[7];
}
