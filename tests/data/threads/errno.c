// expect: true
// Each thread has an errno of its own, zero where it begins.
#include <errno.h>
extern void reach_error(void);
static void check(int ok) { if (!ok) reach_error(); }

extern int pthread_create(unsigned long *, const void *, void *(*)(void *), void *);
extern int pthread_join(unsigned long, void **);

static void *worker(void *argument) {
    check(errno == 0);
    errno = 5;
    check(errno == 5);
    return argument;
}

int main(void) {
    unsigned long first, second;
    errno = 3;
    pthread_create(&first, 0, worker, 0);
    pthread_create(&second, 0, worker, 0);
    check(errno == 3);
    pthread_join(first, 0);
    errno = 7;
    pthread_join(second, 0);
    check(errno == 7);
    return 0;
}
