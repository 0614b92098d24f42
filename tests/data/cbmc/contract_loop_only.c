// expect: true
// environment: --entry f --check-contract f --loop-contracts
// checks: assertions
// A variable that is used in the loop only belongs to the loop, wherever it is declared: its clause need not name it.
void f(unsigned n)
__CPROVER_requires(n <= 100)
__CPROVER_assigns()
{
    unsigned i, twice;
    for (i = 0; i < n; i++)
    __CPROVER_assigns(i)
    __CPROVER_loop_invariant(i <= n)
    {
        twice = 2 * i;
        __CPROVER_assert(twice >= i, "twice as much");
    }
}
