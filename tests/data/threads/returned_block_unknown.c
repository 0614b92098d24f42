// expect: unknown(unsupported: thread)
// checks: memory,free,leak
// What a function gives back to what runs it as a thread is known there.
#include <pthread.h>
#include <stdlib.h>

static void *make(void) { return malloc(sizeof(int)); }

static void *first(void *argument) { return make(); }

static void *second(void *block)
{
    if (block)
        *(int *)block = 1;
    return 0;
}

int main(void)
{
    pthread_t thread, other;
    void *block;
    pthread_create(&thread, 0, first, 0);
    pthread_join(thread, &block);
    pthread_create(&other, 0, second, block);
    free(block);
    pthread_join(other, 0);
    return 0;
}
