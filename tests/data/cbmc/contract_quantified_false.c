// expect: false
// environment: --entry find --check-contract find
// What is found need not be the first one.
unsigned find(const char *p, unsigned n)
__CPROVER_requires(n <= 3 && __CPROVER_is_fresh(p, 3))
__CPROVER_ensures(__CPROVER_return_value <= n)
__CPROVER_ensures(__CPROVER_return_value < n ==> __CPROVER_exists { unsigned k; (0 <= k && k < n) && p[k] == 0 })
__CPROVER_ensures(__CPROVER_forall { unsigned k; (0 <= k && k < __CPROVER_return_value) ==> p[k] != 0 })
{
    unsigned found = n;
    for (unsigned i = 0; i < n; i++)
        if (p[i] == 0)
            found = i;
    return found;
}
