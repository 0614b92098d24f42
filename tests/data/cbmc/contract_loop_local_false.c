// expect: false
// environment: --entry count --check-contract count --loop-contracts
// checks: assertions
// `sum` is not among what the loop may assign, though nothing reads it afterwards.
void count(void)
__CPROVER_assigns()
{
    int sum = 0;
    for (unsigned i = 0; i < 4; i++)
        __CPROVER_assigns(i)
        __CPROVER_loop_invariant(i <= 4)
    {
        sum += 1;
    }
}
