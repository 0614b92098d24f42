// expect: true
// A thread creates another one, and waits for it.
extern void reach_error(void);
static void check(int ok) { if (!ok) reach_error(); }

extern int pthread_create(unsigned long *, const void *, void *(*)(void *), void *);
extern int pthread_join(unsigned long, void **);

int inner, outer;
static void *second(void *argument) { inner = 1; return argument; }
static void *first(void *argument) {
    unsigned long thread;
    pthread_create(&thread, 0, second, 0);
    outer = 1;
    pthread_join(thread, 0);
    outer += inner;
    return argument;
}

int main(void) {
    unsigned long thread;
    pthread_create(&thread, 0, first, 0);
    pthread_join(thread, 0);
    check(outer == 2);
    return 0;
}
