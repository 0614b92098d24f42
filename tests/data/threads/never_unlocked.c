// expect: unknown(unsupported)
// A thread ends, and others wait for its mutex for ever.
extern void reach_error(void);
static void check(int ok) { if (!ok) reach_error(); }

extern int pthread_create(unsigned long *, const void *, void *(*)(void *), void *);
extern int pthread_join(unsigned long, void **);
extern int pthread_mutex_lock(unsigned long *);
extern int pthread_mutex_unlock(unsigned long *);
unsigned long mutex;

static void *worker(void *argument) { pthread_mutex_lock(&mutex); return argument; }

int main(void) {
    unsigned long thread;
    pthread_create(&thread, 0, worker, 0);
    pthread_join(thread, 0);
    pthread_mutex_lock(&mutex);
    reach_error();
}
