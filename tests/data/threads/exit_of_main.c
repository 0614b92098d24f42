// expect: true
// checks: assertions
// The thread of main ends; nothing behind it is run.
extern void reach_error(void);
static void check(int ok) { if (!ok) reach_error(); }

extern int pthread_create(unsigned long *, const void *, void *(*)(void *), void *);
extern int pthread_join(unsigned long, void **);

extern void pthread_exit(void *);
int own;
static void *worker(void *argument) { own++; check(own == 1); return argument; }

int main(void) {
    unsigned long thread;
    pthread_create(&thread, 0, worker, 0);
    pthread_exit(0);
    reach_error();
}
