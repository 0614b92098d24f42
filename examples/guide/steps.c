/* The same function, entered in the same way again and again.   hone check --config bam-value examples/guide/steps.c */
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

static int next(int mode) {
    switch (mode) {
    case 0: return 1;
    case 1: return 2;
    default: return 0;
    }
}

int main(void) {
    int first = 0, second = 0;
    while (__VERIFIER_nondet_int()) {
        first = next(first);
        second = next(second);
        assert(first == second);
    }
    return 0;
}
