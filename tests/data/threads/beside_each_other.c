// expect: unknown(unsupported)
// Threads of one place write to the same variable.
extern void reach_error(void);
static void check(int ok) { if (!ok) reach_error(); }

extern int pthread_create(unsigned long *, const void *, void *(*)(void *), void *);
extern int pthread_join(unsigned long, void **);

int sum;
static void *worker(void *argument) { sum++; return argument; }

int main(void) {
    unsigned long threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], 0, worker, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], 0);
    check(sum == 2);
    return 0;
}
