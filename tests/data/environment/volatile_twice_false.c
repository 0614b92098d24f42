// expect: false
// environment: --volatile inputs
// Each evaluation of an operand is a read of its own.
#include <assert.h>
struct port {
    volatile unsigned char in;
    unsigned char out;
};
struct port port;
int main(void)
{
    volatile unsigned char *in = &port.in;
    int twice = *in + port.in;
    assert(twice % 2 == 0);
    return 0;
}
