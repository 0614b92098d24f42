// expect: unknown(unsupported)
// A thread that waits for what nobody gives.
extern void reach_error(void);
static void check(int ok) { if (!ok) reach_error(); }

extern int pthread_create(unsigned long *, const void *, void *(*)(void *), void *);
extern int pthread_join(unsigned long, void **);

extern int sem_wait(unsigned long *);
unsigned long semaphore;
static void *worker(void *argument) { sem_wait(&semaphore); reach_error(); return argument; }

int main(void) {
    unsigned long thread;
    pthread_create(&thread, 0, worker, 0);
    for (;;);
}
