#include "queue.h"
#include <assert.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

/* What goes in comes out, in order. */
void queue_keeps_order(void)
{
    struct queue queue;
    queue_init(&queue);
    unsigned char a = __VERIFIER_nondet_uchar(), b = __VERIFIER_nondet_uchar();
    assert(queue_put(&queue, a) == 0);
    assert(queue_put(&queue, b) == 0);
    assert(queue_get(&queue) == a);
    assert(queue_get(&queue) == b);
    assert(queue_get(&queue) == -1);
}
