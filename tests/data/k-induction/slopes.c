// expect: true
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int up = 0, fuel = 1000, n = __VERIFIER_nondet_int();
    for (int i = 0; i < 1000 && i < n; i++) {
        if (__VERIFIER_nondet_int()) {
            up += 3;
            fuel -= 1;
        } else {
            up += 5;
        }
        assert(up >= 3 * i + 3);
        assert(up <= 5 * i + 5);
    }
    return 0;
}
