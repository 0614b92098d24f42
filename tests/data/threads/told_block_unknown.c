// expect: unknown(unsupported: thread)
// checks: memory,free,leak
// A block that the thread tells others of is not its own.
#include <pthread.h>
#include <stdlib.h>

static int *told;

static void *worker(void *argument)
{
    int *block = malloc(sizeof *block);
    if (!block)
        return 0;
    told = block;
    *block = 1;
    told = 0;
    free(block);
    return argument;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    int *seen = told;
    if (seen)
        *seen = 2;
    pthread_join(thread, 0);
    return 0;
}
