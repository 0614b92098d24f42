// expect: false
// environment: --entry wait_for --check-contract wait_for
// The number that should get less does not always.
int nondet_int(void);

void wait_for(int n)
__CPROVER_requires(0 <= n && n < 10)
{
    do {
        if (nondet_int())
            n--;
    } while (n > 0)
    __CPROVER_loop_invariant(-1 <= n && n < 10)
    __CPROVER_decreases(n);
}
