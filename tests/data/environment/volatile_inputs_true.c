// expect: true
// environment: --volatile inputs
// Inputs keep to their types, bits are cut out of them, and what is not volatile is not read anew.
#include <assert.h>
typedef volatile unsigned char reg;
struct port {
    reg in;
    unsigned char out;
    volatile unsigned ready : 1, mode : 3;
    _Bool volatile on;
};
static volatile struct port port;
static unsigned char queue[4];
int main(void)
{
    unsigned char plain = 3;
    int bits = port.mode + port.ready;
    int on = port.on;
    reg *in = &port.in;
    queue[0] = *in & 0x0f;
    port.out |= 1;
    struct port copy = port;
    assert(bits <= 8);
    assert(on == 0 || on == 1);
    assert(queue[0] < 16 && plain == 3);
    assert(copy.mode < 8);
    return 0;
}
