/* A proof for every n, by the invariant of a loop.   hone check --config predicate examples/invariant.c */
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    int i = 0;
    if (n < 0)
        return 0;
    while (i < n)
        i++;
    assert(i == n);
    return 0;
}
