// args: --entry fill --check-contract fill
// A function and its loop, checked by their contracts.   hone check --entry fill --check-contract fill examples/contract.c
void fill(unsigned char *p, unsigned n, unsigned char value)
__CPROVER_requires(n <= 100 && __CPROVER_is_fresh(p, 100))
__CPROVER_assigns(__CPROVER_object_upto(p, 100))
__CPROVER_ensures(__CPROVER_forall { unsigned k; k < n ==> p[k] == value })
{
    for (unsigned i = 0; i < n; i++)
    __CPROVER_assigns(i, __CPROVER_object_upto(p, 100))
    __CPROVER_loop_invariant(i <= n)
    __CPROVER_loop_invariant(__CPROVER_forall { unsigned k; k < i ==> p[k] == value })
    __CPROVER_decreases(n - i)
    {
        p[i] = value;
    }
}
