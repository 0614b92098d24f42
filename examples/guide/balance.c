/* Two counters move in step.   hone check --config k-induction examples/guide/balance.c */
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    unsigned taken = 0, given = 0;
    while (__VERIFIER_nondet_int()) {
        taken += 3;
        given += 3;
    }
    assert(taken == given);
    return 0;
}
