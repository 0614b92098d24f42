// expect: true
// environment: --entry clear --check-contract clear
// Quantifiers whose ranges depend on variables.
void clear(short *p, unsigned n)
__CPROVER_requires(n <= 4 && __CPROVER_is_fresh(p, n * sizeof *p))
__CPROVER_assigns(__CPROVER_object_upto(p, n * sizeof *p))
__CPROVER_ensures(__CPROVER_forall { unsigned k; (0 <= k && k < n) ==> p[k] == 0 })
{
    for (unsigned i = 0; i < n; i++)
    __CPROVER_assigns(i, __CPROVER_object_upto(p, n * sizeof *p))
    __CPROVER_loop_invariant(i <= n)
    __CPROVER_loop_invariant(__CPROVER_forall { unsigned k; (0 <= k && k < i) ==> p[k] == 0 })
    __CPROVER_decreases(n - i)
    {
        p[i] = 0;
    }
}
