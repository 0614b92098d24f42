// expect: unknown(unsupported)
// Holds if the thread runs at once, but the machine need not.
extern void reach_error(void);
static void check(int ok) { if (!ok) reach_error(); }

extern int pthread_create(unsigned long *, const void *, void *(*)(void *), void *);
extern int pthread_join(unsigned long, void **);

int shared;
static void *worker(void *argument) { if (shared == 1) reach_error(); return argument; }

int main(void) {
    unsigned long thread;
    pthread_create(&thread, 0, worker, 0);
    shared = 1;
    return 0;
}
