/* The index stays within the ring.   hone check --config interval examples/guide/index.c */
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    int ring[16] = {0}, next = 0;
    while (__VERIFIER_nondet_int()) {
        assert(next >= 0 && next < 16);
        ring[next] = __VERIFIER_nondet_int();
        next++;
        if (next == 16)
            next = 0;
    }
    return 0;
}
