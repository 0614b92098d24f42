// expect: false
// environment: --entry harness --check-contract count --loop-contracts
// A loop that is entered needs its invariants before it, and what is written behind a jump has the value of the iteration.
extern unsigned nondet_unsigned(void);

void count(void)
__CPROVER_requires(1)
__CPROVER_assigns()
{
    unsigned n = nondet_unsigned(), last = 0;
    unsigned i = n;
    while (i < 10)
    __CPROVER_assigns(i)
    __CPROVER_loop_invariant(i <= 10)
    {
        if (i == 7) {
            last = i;
            break;
        }
        i++;
    }
    __CPROVER_assert(last == 0 || last == 7, "known");
    while (i < 10)
    __CPROVER_assigns(i)
    __CPROVER_loop_invariant(i > 7)
    {
        i++;
    }
}

void harness(void)
{
    count();
}
