/* Stands for src/uart.c: any byte may arrive, or none. */
#include "uart.h"

extern unsigned char __VERIFIER_nondet_uchar(void);
extern _Bool __VERIFIER_nondet_bool(void);

int uart_receive(void)
{
    return __VERIFIER_nondet_bool() ? __VERIFIER_nondet_uchar() : -1;
}
