// expect: unknown(address of freed memory)
// predicate: unknown(variable that comes to life again)
// checks: assertions
// The variable of a round may lie where that of the one before lay.
#include <assert.h>

extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    int *last = 0;
    unsigned n = __VERIFIER_nondet_uint() % 10;
    for (unsigned i = 0; i < n; i++) {
        int x;
        assert(&x != last);
        last = &x;
    }
}
