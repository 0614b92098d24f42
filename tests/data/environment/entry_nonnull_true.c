// expect: true
// environment: --entry both
// checks: memory
// Attributes say which arguments are not null.
__attribute__((nonnull)) int both(const int *a, const int *b);

int both(const int *a, const int *b)
{
    return a[0] < b[0];
}
