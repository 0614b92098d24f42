// expect: true
// environment: --entry harness --check-contract search --check-contract poll
// First iterations of a loop in a loop, and of a loop whose condition is at its end.
int search(int key, int n, int m)
__CPROVER_requires(n <= 8 && m <= 8)
__CPROVER_ensures(__CPROVER_return_value == 0 || key == 3)
{
    int found = 0;
    for (int i = 0; i < n; i++)
    __CPROVER_assigns(i, found)
    __CPROVER_loop_invariant(0 <= i && i <= n && (found == 0 || m > 0))
    {
        for (int j = 0; j < m; j++)
        __CPROVER_assigns(j, found)
        __CPROVER_loop_invariant(0 <= j && j <= m && (found == 0 || m > 0))
        {
            if (key != 3)
                return 0;
            found = 1;
        }
    }
    return found;
}

int poll(int key, int n)
__CPROVER_ensures(__CPROVER_return_value < 2 || key == 3)
{
    int i = 0;
    do
    __CPROVER_assigns(i)
    __CPROVER_loop_invariant(0 <= i && i <= 100)
    {
        if (i == 100)
            break;
        i++;
        if (key == 3)
            continue;
        return i < 2 ? i : 0;
    } while (i < n);
    return i;
}

int nondet_int(void);

void harness(void)
{
    int n = nondet_int(), m = nondet_int();
    if (n <= 8 && m <= 8)
        search(nondet_int(), n, m);
    poll(nondet_int(), n);
}
