/* Two threads share a variable.   hone check examples/guide/threads.c */
#include <assert.h>
#include <pthread.h>

static int shared;

static void *worker(void *argument) {
    shared = 1;
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    assert(shared <= 1);
    return 0;
}
