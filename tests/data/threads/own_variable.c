// expect: unknown(unsupported)
// Each thread has a variable of its own.
extern void reach_error(void);
static void check(int ok) { if (!ok) reach_error(); }

extern int pthread_create(unsigned long *, const void *, void *(*)(void *), void *);
extern int pthread_join(unsigned long, void **);

__thread int own;
static void *worker(void *argument) { own = 1; return argument; }

int main(void) {
    unsigned long thread;
    pthread_create(&thread, 0, worker, 0);
    pthread_join(thread, 0);
    check(own == 0);
    return 0;
}
