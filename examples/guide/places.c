/* What is taken and what is free are all places.   hone check --config octagon examples/guide/places.c */
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    int taken = 0, empty = 64;
    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int() && empty > 0) {
            empty--;
            taken++;
        } else if (taken > 0) {
            taken--;
            empty++;
        }
        assert(taken + empty == 64);
    }
    return 0;
}
