// expect: false
// environment: --entry digits --check-contract digits
// Only the first iteration begins in the state before the loop: the invariant does not say what the second one found.
unsigned digits(const char *p, unsigned n)
__CPROVER_requires(n <= 4 && __CPROVER_is_fresh(p, 4))
__CPROVER_ensures(__CPROVER_return_value <= 1 || ('0' <= p[1] && p[1] <= '9'))
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
