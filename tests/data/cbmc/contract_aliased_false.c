// expect: false
// environment: --entry harness --use-contract swap
// Both pointers must lead to memory of their own.
void swap(int *a, int *b)
__CPROVER_requires(__CPROVER_is_fresh(a, sizeof *a))
__CPROVER_requires(__CPROVER_is_fresh(b, sizeof *b))
__CPROVER_assigns(*a, *b);

void harness(void)
{
    int a = 1;
    swap(&a, &a);
}
