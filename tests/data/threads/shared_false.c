// expect: false
// One of the orders is enough.
extern void reach_error(void);
static void check(int ok) { if (!ok) reach_error(); }

extern int pthread_create(unsigned long *, const void *, void *(*)(void *), void *);
extern int pthread_join(unsigned long, void **);

int shared;
static void *worker(void *argument) { shared++; return argument; }

int main(void) {
    unsigned long thread;
    pthread_create(&thread, 0, worker, 0);
    shared++;
    check(shared < 2);
    return 0;
}
