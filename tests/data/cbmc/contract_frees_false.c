// expect: false
// environment: --entry harness --check-contract release
// A function frees by another one what its contract does not name.
extern void free(void *p);

static void drop(int *p)
{
    free(p);
}

void release(int *p, int *q)
__CPROVER_requires(__CPROVER_is_fresh(p, sizeof *p) && __CPROVER_is_fresh(q, sizeof *q))
__CPROVER_assigns(*p)
__CPROVER_frees(p)
{
    drop(q);
}

void harness(void)
{
    int *p, *q;
    release(p, q);
}
