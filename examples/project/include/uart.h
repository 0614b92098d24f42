#ifndef UART_H
#define UART_H

/* The next byte that has arrived, or -1. */
int uart_receive(void);

#endif
