// expect: true
// data-model: LP32
// A loop over numbers of 16 bits, with an invariant that a witness can tell.
#include <assert.h>

extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    unsigned i = 0;
    long sum = 0;
    while (i < n) {
        i++;
        sum += 2;
    }
    assert(sum <= 131070);
    assert(i == n);
    return 0;
}
