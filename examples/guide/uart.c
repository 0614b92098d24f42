#include <assert.h>
#include <stdint.h>

struct uart {
    volatile uint32_t status, data;
};
#define UART ((struct uart *)0x40001000u)

int receive(void)
{
    return UART->status & 1 ? (int)(UART->data & 0xff) : -1;
}

int main(void)
{
    int first = receive();
    assert(first >= -1 && first <= 255);
    int second = receive();
    assert(first < 0 || second == first);
    return 0;
}
