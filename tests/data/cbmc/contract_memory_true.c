// expect: true
// environment: --entry harness --check-contract swap --use-contract set
// Fresh memory, values from before the call, and a callee that writes what its contract names.
void set(int *p, int value)
__CPROVER_requires(__CPROVER_is_fresh(p, sizeof *p))
__CPROVER_assigns(*p)
__CPROVER_ensures(*p == value);

void swap(int *a, int *b)
__CPROVER_requires(__CPROVER_is_fresh(a, sizeof *a) && __CPROVER_is_fresh(b, sizeof *b))
__CPROVER_assigns(*a, *b)
__CPROVER_ensures(*a == __CPROVER_old(*b) && *b == __CPROVER_old(*a))
{
    int old = *a;
    set(a, *b);
    set(b, old);
}

void harness(void)
{
    int *a, *b;
    swap(a, b);
}
