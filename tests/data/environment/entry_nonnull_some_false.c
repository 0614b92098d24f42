// expect: false
// environment: --entry first
// checks: memory
__attribute__((__nonnull__(1, 3))) int first(const int *a, const int *b, const int *c)
{
    return a[0] < c[0] || b[0];
}
