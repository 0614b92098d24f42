// expect: true
// checks: memory,free,leak
// The program ends while a thread may stand anywhere; nothing that it does loses a block.
#include <pthread.h>
#include <stdlib.h>

struct node { struct node *next; };

static struct node *first;

static void *worker(void *argument)
{
    struct node *node = malloc(sizeof *node);
    if (!node)
        return 0;
    node->next = first;
    first = node;
    return argument;
}

int main(void)
{
    pthread_t thread;
    worker(0);
    pthread_create(&thread, 0, worker, 0);
    return 0;
}
