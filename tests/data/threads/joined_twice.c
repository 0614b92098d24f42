// expect: unknown(unsupported)
// Nobody may wait twice for a thread.
extern void reach_error(void);
static void check(int ok) { if (!ok) reach_error(); }

extern int pthread_create(unsigned long *, const void *, void *(*)(void *), void *);
extern int pthread_join(unsigned long, void **);

static void *worker(void *argument) { return argument; }

int main(void) {
    unsigned long thread;
    pthread_create(&thread, 0, worker, 0);
    pthread_join(thread, 0);
    pthread_join(thread, 0);
    return 0;
}
