#ifndef READER_H
#define READER_H

struct queue;

/* Reads what has arrived into a frame of at most length bytes; returns their number. */
int read_frame(struct queue *queue, unsigned char *frame, unsigned length);

#endif
