int __hone_bcmp(const void *a, const void *b, __hone_size_t n)
{
    const unsigned char *x = a;
    const unsigned char *y = b;
    for (__hone_size_t i = 0; i < n; i++) {
        if (x[i] != y[i])
            return 1;
    }
    return 0;
}
