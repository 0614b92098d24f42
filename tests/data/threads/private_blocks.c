// expect: true
// checks: assertions,memory,free,leak
// Each thread has variables and blocks that no other knows of, though all run the same function.
#include <pthread.h>
#include <stdlib.h>

static void set(int *place, int value) { *place = value; }

static void *worker(void *argument)
{
    int here, *block = malloc(sizeof *block);
    if (!block)
        return 0;
    set(&here, 1);
    set(block, here);
    here += *block;
    if (here != 2)
        set(0, 1);
    free(block);
    return argument;
}

int main(void)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], 0, worker, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], 0);
    return 0;
}
