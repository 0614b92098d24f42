// expect: true
// args: --config k-induction
// k-induction: true
// The equation of both counters has a constant of 33 bits, which is another number where C computes with unsigned int.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
    unsigned x = 2147483648u, y = 0;
    while (__VERIFIER_nondet_int()) {
        x += 1;
        y += 3;
    }
    assert(3 * x == y + 2147483648u);
    return 0;
}
