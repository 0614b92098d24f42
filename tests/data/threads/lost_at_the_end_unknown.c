// expect: unknown(unsupported: thread)
// checks: memory,free,leak
// The thread loses a block if it comes so far before the program ends.
#include <pthread.h>
#include <stdlib.h>

static void *kept;

static void *worker(void *argument)
{
    kept = 0;
    return argument;
}

int main(void)
{
    pthread_t thread;
    kept = malloc(1);
    pthread_create(&thread, 0, worker, 0);
    return 0;
}
