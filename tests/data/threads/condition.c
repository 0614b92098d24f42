// expect: unknown(unsupported)
// A thread that nobody wakes up does not get on.
extern void reach_error(void);

extern int pthread_create(unsigned long *, const void *, void *(*)(void *), void *);
extern int pthread_join(unsigned long, void **);
typedef struct { long space[6]; } mutex, condition;
extern int pthread_mutex_lock(mutex *);
extern int pthread_mutex_unlock(mutex *);
extern int pthread_cond_wait(condition *, mutex *);

mutex m;
condition c;
static void *worker(void *argument) {
    pthread_mutex_lock(&m);
    pthread_cond_wait(&c, &m);
    pthread_mutex_unlock(&m);
    reach_error();
    return argument;
}

int main(void) {
    unsigned long thread;
    pthread_create(&thread, 0, worker, 0);
    pthread_join(thread, 0);
    return 0;
}
