// expect: unknown(unsupported)
// pthread_exit ends a thread from within a call.
extern void reach_error(void);
static void check(int ok) { if (!ok) reach_error(); }

extern int pthread_create(unsigned long *, const void *, void *(*)(void *), void *);
extern int pthread_join(unsigned long, void **);

extern void pthread_exit(void *);
int done;
static void leave(void) { pthread_exit(0); }
static void *worker(void *argument) { leave(); done = 1; return argument; }

int main(void) {
    unsigned long thread;
    pthread_create(&thread, 0, worker, 0);
    pthread_join(thread, 0);
    check(done == 0);
    return 0;
}
