// expect: false
// environment: --use-contract release
// checks: memory
// Behind a call, what the contract names may have been freed.
extern void *malloc(unsigned long size);

void release(int *p)
__CPROVER_assigns(*p)
__CPROVER_frees(p);

int main(void)
{
    int *p = malloc(sizeof *p);
    release(p);
    return *p;
}
