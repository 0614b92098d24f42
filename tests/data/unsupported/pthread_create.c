// expect: unknown(unsupported)
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

extern int pthread_create(unsigned long *, const void *, void *(*)(void *), void *);
int shared;
void *worker(void *arg) { shared = 1; return arg; }
int main(void) {
    unsigned long t;
    pthread_create(&t, 0, worker, 0);
    check(shared == 0);
    return 0;
}
