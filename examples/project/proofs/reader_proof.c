#include "queue.h"
#include "reader.h"
#include <assert.h>

/* A frame is never longer than its buffer. */
void frame_fits(void)
{
    struct queue queue;
    unsigned char frame[4];
    queue_init(&queue);
    int n = read_frame(&queue, frame, sizeof frame);
    assert(n >= 0 && n <= 4);
}
