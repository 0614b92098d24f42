// expect: true
// environment: --entry last --check-contract last
// Clauses of a do loop stand in front of its body, or at its end; without them, there would be too much to unwind.
unsigned last(const unsigned char *p, unsigned n)
__CPROVER_requires(0 < n && n <= 1000000 && __CPROVER_is_fresh(p, n))
__CPROVER_ensures(__CPROVER_return_value == n)
{
    unsigned i = 0;
    unsigned char sum = 0;
    do
    __CPROVER_assigns(i, sum)
    __CPROVER_loop_invariant(i < n)
    {
        sum ^= p[i];
        i++;
    } while (i < n)
    __CPROVER_decreases(n - i);
    return i;
}
