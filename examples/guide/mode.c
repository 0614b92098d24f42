/* The mode is a matter of values, the bound is not.   hone check --config value-predicate examples/guide/mode.c */
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    int mode = 0, size = __VERIFIER_nondet_int(), filled = __VERIFIER_nondet_int();
    if (filled > size)
        return 0;
    while (mode != 3) {
        switch (mode) {
        case 0: mode = 1; break;
        case 1:
            if (filled < size)
                filled++;
            else
                mode = 2;
            break;
        case 2: mode = 3; break;
        default: assert(0);
        }
        assert(filled <= size);
    }
    assert(filled == size);
    return 0;
}
