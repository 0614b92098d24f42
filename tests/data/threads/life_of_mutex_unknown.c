// expect: unknown(unsupported: thread)
// checks: memory
// The thread may lock the mutex after it was freed.
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t *mutex;

static void *worker(void *argument)
{
    pthread_mutex_lock(mutex);
    pthread_mutex_unlock(mutex);
    return argument;
}

int main(void)
{
    pthread_t thread;
    mutex = malloc(sizeof *mutex);
    if (!mutex)
        return 0;
    pthread_mutex_init(mutex, 0);
    pthread_create(&thread, 0, worker, 0);
    free(mutex);
    return 0;
}
