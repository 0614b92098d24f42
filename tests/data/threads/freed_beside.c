// expect: unknown(unsupported)
// checks: assertions,memory,free
// A thread frees what is used beside it.
extern void reach_error(void);
static void check(int ok) { if (!ok) reach_error(); }

extern int pthread_create(unsigned long *, const void *, void *(*)(void *), void *);
extern int pthread_join(unsigned long, void **);
extern void *malloc(unsigned long);
extern void free(void *);
static int *block;
static void *worker(void *argument) { *block = 2; return argument; }

int main(void) {
    unsigned long thread;
    block = malloc(sizeof *block);
    if (!block) return 0;
    pthread_create(&thread, 0, worker, 0);
    free(block);
    return 0;
}
