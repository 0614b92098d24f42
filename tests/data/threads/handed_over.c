// expect: unknown(unsupported)
// checks: assertions,memory,free,leak
// A thread that has not begun keeps its argument.
extern int pthread_create(unsigned long *, const void *, void *(*)(void *), void *);
extern void *malloc(unsigned long);
extern void free(void *);

static void *worker(void *argument) { free(argument); return 0; }

int main(void) {
    unsigned long thread;
    void *block = malloc(4);
    pthread_create(&thread, 0, worker, block);
    block = 0;
    return 0;
}
