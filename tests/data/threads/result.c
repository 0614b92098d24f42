// expect: true
// What the function of a thread returns, or gives to pthread_exit.
extern void reach_error(void);
static void check(int ok) { if (!ok) reach_error(); }

extern int pthread_create(unsigned long *, const void *, void *(*)(void *), void *);
extern int pthread_join(unsigned long, void **);

extern void pthread_exit(void *);
static int one = 1, two = 2;
static void *worker(void *argument) {
    int local = argument == &one;
    int *p = &local;
    if (*p) pthread_exit(&two);
    return argument;
}

int main(void) {
    unsigned long thread;
    void *result;
    pthread_create(&thread, 0, worker, &one);
    pthread_join(thread, &result);
    check(result == &two);
    pthread_create(&thread, 0, worker, &two);
    pthread_join(thread, &result);
    check(result == &two);
    return 0;
}
