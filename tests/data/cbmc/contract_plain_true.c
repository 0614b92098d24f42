// expect: true
// environment: --entry harness
// Without an option, contracts say nothing: the loop is unwound.
unsigned sum(unsigned n)
__CPROVER_requires(n <= 3)
__CPROVER_ensures(__CPROVER_return_value == 7)
{
    unsigned s = 0;
    for (unsigned i = 0; i < n; i++)
    __CPROVER_loop_invariant(s == 5)
        s += 2;
    return s;
}

void harness(void)
{
    __CPROVER_assert(sum(4) == 8, "four twos");
}
