// expect: false
// environment: --entry clamp --check-contract clamp
// The contract does not say that `most` is not negative. The function is checked from arbitrary arguments.
int clamp(int n, int most)
__CPROVER_ensures(__CPROVER_return_value <= most)
{
    return n <= most ? n : 0;
}
