// expect: false
// environment: --entry first --max-elements 0
// checks: memory
// Nothing is known of the memory that a pointer leads to, but that there is an element.
int first(const int *numbers)
{
    if (!numbers)
        return 0;
    return numbers[0] + numbers[1];
}
