#include "queue.h"

void queue_init(struct queue *queue)
{
    queue->first = 0;
    queue->used = 0;
}

int queue_put(struct queue *queue, unsigned char byte)
{
    if (queue->used == QUEUE_CAPACITY)
        return -1;
    queue->data[(queue->first + queue->used) % QUEUE_CAPACITY] = byte;
    queue->used++;
    return 0;
}

int queue_get(struct queue *queue)
{
    if (queue->used == 0)
        return -1;
    unsigned char byte = queue->data[queue->first];
    queue->first = (queue->first + 1) % QUEUE_CAPACITY;
    queue->used--;
    return byte;
}
