// expect: false
// environment: --entry count --check-contract count
// checks: overflow
// A contract holds whatever the program has done before: the variable may have any value that it allows.
static int counted;
int count(void)
    __CPROVER_requires(counted >= 0)
    __CPROVER_assigns(counted)
    __CPROVER_ensures(counted == __CPROVER_old(counted) + 1)
{
    static int calls = 3;
    calls |= 1;
    return ++counted;
}
