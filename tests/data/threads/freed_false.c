// expect: false
// checks: assertions,memory,free,leak
// A thread frees what is used when it has ended.
extern void reach_error(void);
static void check(int ok) { if (!ok) reach_error(); }

extern int pthread_create(unsigned long *, const void *, void *(*)(void *), void *);
extern int pthread_join(unsigned long, void **);
extern void *malloc(unsigned long);
extern void free(void *);
static void *worker(void *argument) { free(argument); return 0; }

int main(void) {
    unsigned long thread;
    int *block = malloc(sizeof *block);
    if (!block) return 0;
    *block = 1;
    pthread_create(&thread, 0, worker, block);
    pthread_join(thread, 0);
    return *block;
}
