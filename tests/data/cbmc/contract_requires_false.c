// expect: false
// environment: --entry harness --use-contract half
// A call must see to what the contract of the function requires.
int half(int n)
__CPROVER_requires(n >= 0)
__CPROVER_ensures(0 <= __CPROVER_return_value && __CPROVER_return_value <= n);

int nondet_int(void);

void harness(void)
{
    int n = nondet_int();
    half(n);
}
