// expect: true
// environment: --entry harness --check-contract forget
// All of an object may be assigned, and becomes arbitrary; what another pointer leads to is kept.
#include <stddef.h>

void forget(int *p, const int *other, size_t n)
    __CPROVER_requires(n > 1 && n < 4 && __CPROVER_is_fresh(p, n * sizeof(int)))
    __CPROVER_requires(__CPROVER_is_fresh(other, sizeof(int)))
    __CPROVER_assigns(__CPROVER_object_whole(p))
    __CPROVER_ensures(*other == __CPROVER_old(*other))
{
    __CPROVER_havoc_object(p);
}

void harness(void)
{
    int *p;
    int *other;
    size_t n;
    forget(p, other, n);
}
