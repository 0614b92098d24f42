// expect: unknown(unsupported)
// A thread that has to wait for a mutex.
extern void reach_error(void);
static void check(int ok) { if (!ok) reach_error(); }

extern int pthread_create(unsigned long *, const void *, void *(*)(void *), void *);
extern int pthread_join(unsigned long, void **);
extern int pthread_mutex_lock(unsigned long *);
extern int pthread_mutex_unlock(unsigned long *);
unsigned long mutex;

int own;
static void *worker(void *argument) {
    pthread_mutex_lock(&mutex);
    own = 1;
    reach_error();
    pthread_mutex_unlock(&mutex);
    return argument;
}

int main(void) {
    unsigned long thread;
    pthread_mutex_lock(&mutex);
    pthread_create(&thread, 0, worker, 0);
    for (;;);
}
