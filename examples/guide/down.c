// Every call returns 0, however deep it goes.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int down(int n) {
    if (n <= 0)
        return 0;
    return down(n - 1);
}

int main(void) {
    int result = down(__VERIFIER_nondet_int());
    assert(result == 0);
    return 0;
}
