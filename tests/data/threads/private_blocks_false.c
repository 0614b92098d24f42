// expect: false
// checks: memory,free,leak
// One of two blocks of the same kind is not freed.
#include <pthread.h>
#include <stdlib.h>

static void *worker(void *argument)
{
    int *block = malloc(sizeof *block);
    if (block && !argument)
        free(block);
    return 0;
}

int main(void)
{
    pthread_t first, second;
    int some;
    pthread_create(&first, 0, worker, 0);
    pthread_create(&second, 0, worker, &some);
    pthread_join(first, 0);
    pthread_join(second, 0);
    return 0;
}
