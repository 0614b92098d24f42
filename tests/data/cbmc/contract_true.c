// expect: true
// environment: --entry harness --check-contract clamp --use-contract half
// A function that keeps its contract, which calls one for which its contract stands.
int half(int n)
__CPROVER_requires(n >= 0)
__CPROVER_ensures(0 <= __CPROVER_return_value && __CPROVER_return_value <= n);

int clamp(int n, int most)
__CPROVER_requires(most >= 0)
__CPROVER_ensures(__CPROVER_return_value <= most)
__CPROVER_ensures(n < 0 ==> __CPROVER_return_value == n)
{
    if (n < 0)
        return n;
    return n <= most ? n : half(most);
}

void harness(void)
{
    int n, most;
    clamp(n, most);
}
