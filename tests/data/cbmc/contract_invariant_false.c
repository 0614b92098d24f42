// expect: false
// environment: --entry sum --check-contract sum
// The invariant does not survive an iteration.
unsigned sum(unsigned n)
__CPROVER_requires(n <= 1000)
{
    unsigned i = 0, s = 0;
    for (; i < n; i++)
    __CPROVER_loop_invariant(i <= n && s <= 500)
    {
        s++;
    }
    return s;
}
