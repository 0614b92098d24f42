// expect: true
// environment: --entry harness --check-contract release --check-contract pass
// checks: assertions,memory,free
// A function may free what its contract names, also by another one, and use the memory anew.
extern void free(void *p);
extern void *malloc(unsigned long size);

void release(int *p, int really)
__CPROVER_requires(__CPROVER_is_fresh(p, sizeof *p))
__CPROVER_assigns(*p)
__CPROVER_frees(p)
{
    *p = 1;
    if (really)
        free(p);
}

static void drop(int *p)
{
    free(p);
}

void pass(int *p, int *q)
__CPROVER_requires(__CPROVER_is_fresh(p, sizeof *p) && __CPROVER_is_fresh(q, sizeof *q))
__CPROVER_assigns(*q)
__CPROVER_frees(p)
{
    drop(p);
    int *made = malloc(sizeof *made);
    *made = 2;
    *q = *made;
    free(made);
}

void harness(void)
{
    int *p, *q, really;
    release(p, really);
    pass(p, q);
}
