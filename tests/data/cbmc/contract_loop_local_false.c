// expect: false
// environment: --loop-contracts
// checks: assertions
// `sum` is not among what the loop may assign, though nothing reads it afterwards.
int main() {
    int sum = 0;
    for (unsigned i = 0; i < 4; i++)
        __CPROVER_assigns(i)
        __CPROVER_loop_invariant(i <= 4)
    {
        sum += 1;
    }
    return 0;
}
