// expect: true
// Threads of one place, each when the one before it has ended.
extern void reach_error(void);
static void check(int ok) { if (!ok) reach_error(); }

extern int pthread_create(unsigned long *, const void *, void *(*)(void *), void *);
extern int pthread_join(unsigned long, void **);

int sum;
static void *worker(void *argument) { sum += *(int *)argument; return argument; }

int main(void) {
    for (int i = 0; i < 3; i++) {
        unsigned long thread;
        pthread_create(&thread, 0, worker, &i);
        pthread_join(thread, 0);
    }
    check(sum == 3);
    return 0;
}
