// expect: false
// A thread fails.
extern void reach_error(void);
static void check(int ok) { if (!ok) reach_error(); }

extern int pthread_create(unsigned long *, const void *, void *(*)(void *), void *);
extern int pthread_join(unsigned long, void **);

static void *worker(void *argument) { check(*(int *)argument == 1); return argument; }

int main(void) {
    unsigned long thread;
    int one = 1, two = 2;
    pthread_create(&thread, 0, worker, &one);
    pthread_join(thread, 0);
    pthread_create(&thread, 0, worker, &two);
    pthread_join(thread, 0);
    return 0;
}
