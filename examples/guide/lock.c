/* A lock is taken and released in turns.   hone check --config impact examples/guide/lock.c */
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    int lock = 0, old, new = __VERIFIER_nondet_int();
    do {
        assert(lock == 0);
        lock = 1;
        old = new;
        if (__VERIFIER_nondet_int()) {
            assert(lock == 1);
            lock = 0;
            new++;
        }
    } while (new != old);
    return 0;
}
