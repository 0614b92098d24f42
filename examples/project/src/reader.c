#include "reader.h"
#include "queue.h"
#include "uart.h"

int read_frame(struct queue *queue, unsigned char *frame, unsigned length)
{
    for (;;) {
        int byte = uart_receive();
        if (byte < 0)
            break;
        if (queue_put(queue, (unsigned char)byte) != 0)
            break;
    }
    unsigned n = 0;
    while (n <= length) {
        int byte = queue_get(queue);
        if (byte < 0)
            break;
        frame[n++] = (unsigned char)byte;
    }
    return (int)n;
}
