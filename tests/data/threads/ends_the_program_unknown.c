// expect: unknown(unsupported: thread)
// checks: memory,free,leak
// The thread loses a block before it ends the program, but it may not come to that: then the variable of `main` is gone.
#include <pthread.h>
#include <stdlib.h>

static void *kept;

static void *worker(void *argument)
{
    kept = 0;
    abort();
}

int main(void)
{
    pthread_t thread;
    void *also = malloc(1);
    kept = also;
    pthread_create(&thread, 0, worker, 0);
    return also == 0;
}
