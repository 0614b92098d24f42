// expect: true
// Nobody gets past waiting for a thread that never ends.
extern void reach_error(void);
static void check(int ok) { if (!ok) reach_error(); }

extern int pthread_create(unsigned long *, const void *, void *(*)(void *), void *);
extern int pthread_join(unsigned long, void **);

int go;
static void *worker(void *argument) { while (!go); return argument; }

int main(void) {
    unsigned long thread;
    pthread_create(&thread, 0, worker, 0);
    pthread_join(thread, 0);
    reach_error();
    return 0;
}
