// expect: false
// checks: assertions,memory,free,leak
// A block is lost by a thread that never ends.
extern void reach_error(void);
static void check(int ok) { if (!ok) reach_error(); }

extern int pthread_create(unsigned long *, const void *, void *(*)(void *), void *);
extern int pthread_join(unsigned long, void **);
extern void *malloc(unsigned long);
extern void free(void *);
extern void abort(void);
static void *worker(void *argument) { argument = malloc(4); argument = 0; for (;;); return argument; }

int main(void) {
    unsigned long thread;
    pthread_create(&thread, 0, worker, 0);
    return 0;
}
