// expect: false
// environment: --entry first
// checks: memory
// Pointers may be null.
int first(const int *numbers)
{
    return numbers[0];
}
