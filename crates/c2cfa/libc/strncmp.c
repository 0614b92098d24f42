int __hone_strncmp(const char *a, const char *b, __hone_size_t n)
{
    const unsigned char *x = (const unsigned char *)a;
    const unsigned char *y = (const unsigned char *)b;
    for (__hone_size_t i = 0; i < n; i++) {
        if (x[i] != y[i] || !x[i])
            return x[i] - y[i];
    }
    return 0;
}
