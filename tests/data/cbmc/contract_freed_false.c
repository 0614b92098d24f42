// expect: false
// environment: --entry harness --check-contract release
// Without a frees clause, nothing of the caller's may be freed.
extern void free(void *p);

void release(int *p)
__CPROVER_requires(__CPROVER_is_fresh(p, sizeof *p))
__CPROVER_assigns()
{
    free(p);
}

void harness(void)
{
    int *p;
    release(p);
}
