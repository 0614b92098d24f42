/* A bug: the mean of two ints overflows.   hone check examples/bug.c */
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

static int mean(int low, int high) { return (low + high) / 2; }

int main(void) {
    int low = __VERIFIER_nondet_int();
    int high = __VERIFIER_nondet_int();
    if (low < 0 || high < low)
        return 0;
    int middle = mean(low, high);
    assert(low <= middle && middle <= high);
    return 0;
}
