// expect: true
// environment: --mmio 0x40000000..0x4000ffff,0xe000e000..0xe000efff
// checks: memory,assertions
// Writes to registers change no variable, and pointers to variables and registers may meet in one function.
#include <assert.h>
#include <stdint.h>
struct uart {
    volatile uint32_t status;
    volatile uint32_t data;
    volatile uint32_t enable : 1, rate : 7;
};
#define UART ((struct uart *)0x40001000u)
static struct uart simulated;
static uint32_t receive(struct uart *uart)
{
    uart->enable = 1;
    return uart->status & 1 ? uart->data & 0xff : 0;
}
int main(void)
{
    simulated.status = 1;
    simulated.data = 0x141;
    assert(receive(UART) <= 0xff);
    assert(receive(&simulated) == 0x41);
    UART->data = 7;
    assert(simulated.data == 0x141);
    assert(UART->rate < 128);
    *(volatile uint32_t *)0xe000e010u = 5;
    struct uart snapshot = *UART;
    assert(snapshot.enable <= 1);
    return 0;
}
