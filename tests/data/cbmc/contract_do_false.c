// expect: false
// environment: --entry count --check-contract count
// What stands in front of the body of a do loop is checked behind each iteration.
unsigned count(unsigned n)
__CPROVER_requires(2 < n && n <= 1000)
__CPROVER_ensures(__CPROVER_return_value == n)
{
    unsigned i = 0;
    do
    __CPROVER_loop_invariant(i < 2)
    {
        i++;
    } while (i < n);
    return i;
}
