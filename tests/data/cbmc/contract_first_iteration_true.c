// expect: true
// environment: --entry digits --check-contract digits
// The first iteration begins in the state before the loop: what it found in memory that the loop does not write is known behind it.
unsigned digits(const char *p, unsigned n)
__CPROVER_requires(n <= 4 && __CPROVER_is_fresh(p, 4))
__CPROVER_ensures(__CPROVER_return_value == 0 || ('0' <= p[0] && p[0] <= '9'))
{
    unsigned i = 0;
    while (i < n)
    __CPROVER_assigns(i)
    __CPROVER_loop_invariant(i <= n)
    {
        switch (p[i]) {
        case '0' ... '9':
            break;
        default:
            return i;
        }
        i++;
    }
    return i;
}
