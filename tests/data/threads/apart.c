// expect: true
// Two threads that read the same and write each to their own.
extern void reach_error(void);
static void check(int ok) { if (!ok) reach_error(); }

extern int pthread_create(unsigned long *, const void *, void *(*)(void *), void *);
extern int pthread_join(unsigned long, void **);

extern int __VERIFIER_nondet_int(void);
int a, b, least, greatest;
static void *find_least(void *argument) { least = a < b ? a : b; return argument; }
static void *find_greatest(void *argument) { greatest = a < b ? b : a; return argument; }

int main(void) {
    unsigned long first, second;
    a = __VERIFIER_nondet_int();
    b = __VERIFIER_nondet_int();
    pthread_create(&first, 0, find_least, 0);
    pthread_create(&second, 0, find_greatest, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    check(least <= greatest);
    return 0;
}
