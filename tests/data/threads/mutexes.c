// expect: true
// Mutexes around what nobody else accesses.
extern void reach_error(void);
static void check(int ok) { if (!ok) reach_error(); }

extern int pthread_create(unsigned long *, const void *, void *(*)(void *), void *);
extern int pthread_join(unsigned long, void **);
extern int pthread_mutex_lock(unsigned long *);
extern int pthread_mutex_unlock(unsigned long *);
unsigned long mutex;

int own, other;
static void *worker(void *argument) {
    pthread_mutex_lock(&mutex);
    own = 1;
    pthread_mutex_unlock(&mutex);
    return argument;
}

int main(void) {
    unsigned long thread;
    pthread_create(&thread, 0, worker, 0);
    pthread_mutex_lock(&mutex);
    other = 1;
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, 0);
    check(own + other == 2);
    return 0;
}
