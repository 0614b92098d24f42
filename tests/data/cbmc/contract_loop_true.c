// expect: true
// environment: --entry sum --check-contract sum
// A loop of any length, by its invariant.
unsigned sum(unsigned n)
__CPROVER_requires(n <= 1000)
__CPROVER_ensures(__CPROVER_return_value == n * 2)
{
    unsigned i = 0, s = 0;
    while (i < n)
    __CPROVER_loop_invariant(i <= n && s == 2 * i)
    __CPROVER_decreases(n - i)
    {
        i++;
        s += 2;
    }
    return s;
}
