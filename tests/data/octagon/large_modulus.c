// expect: true
// args: --config interval
// interval: true
// octagon: true
// Twice the modulus is no int.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int i = -2147483647 - 1;
    while (__VERIFIER_nondet_int()) {
        if (i < 0)
            i += 1500000000;
    }
    assert(i != 5);
    return 0;
}
