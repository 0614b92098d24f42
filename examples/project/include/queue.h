/* A queue of bytes with a fixed capacity. */
#ifndef QUEUE_H
#define QUEUE_H

#ifndef QUEUE_CAPACITY
#define QUEUE_CAPACITY 8
#endif

struct queue {
    unsigned char data[QUEUE_CAPACITY];
    unsigned first;
    unsigned used;
};

void queue_init(struct queue *queue);
int queue_put(struct queue *queue, unsigned char byte);
int queue_get(struct queue *queue);

#endif
