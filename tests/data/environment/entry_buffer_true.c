// expect: true
// environment: --entry first
// checks: memory
// One element is there, unless the pointer is null.
int first(const int *numbers)
{
    if (!numbers)
        return 0;
    return numbers[0];
}
