// expect: false
// A thread that ends the program may be late.
extern void reach_error(void);
static void check(int ok) { if (!ok) reach_error(); }

extern int pthread_create(unsigned long *, const void *, void *(*)(void *), void *);
extern int pthread_join(unsigned long, void **);

extern void abort(void);
static void *worker(void *argument) { abort(); return argument; }

int main(void) {
    unsigned long thread;
    pthread_create(&thread, 0, worker, 0);
    reach_error();
    return 0;
}
