// expect: false
// environment: --entry harness --check-contract forget
// What becomes arbitrary may lie outside of what a contract lets a function assign.
#include <stddef.h>

void forget(int *p, size_t n)
    __CPROVER_requires(n > 1 && n < 4 && __CPROVER_is_fresh(p, n * sizeof(int)))
    __CPROVER_assigns(p[0])
{
    __CPROVER_havoc_object(p);
}

void harness(void)
{
    int *p;
    size_t n;
    forget(p, n);
}
