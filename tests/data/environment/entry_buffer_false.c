// expect: false
// environment: --entry first
// checks: memory
// The caller may give fewer elements than the function reads.
int first(const int *numbers, int length)
{
    if (!numbers || length < 2)
        return 0;
    return numbers[1];
}
