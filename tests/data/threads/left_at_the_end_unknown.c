// expect: unknown(unsupported: thread)
// checks: memory,free,cleanup
// The program may end before the thread has freed its block.
#include <pthread.h>
#include <stdlib.h>

static void *worker(void *argument)
{
    free(malloc(1));
    return argument;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    return 0;
}
