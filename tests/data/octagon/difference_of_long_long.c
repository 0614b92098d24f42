// expect: true
// args: --config octagon
// data-model: ILP32
// octagon: true
// Machines of 32 bits have no type in which differences of these never overflow.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
    long long x = 3, y = 0;
    while (x < 1000) {
        x++;
        if (__VERIFIER_nondet_int())
            y++;
    }
    assert(y < 998);
    return 0;
}
