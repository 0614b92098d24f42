void __hone_bcopy(const void *src, void *dst, __hone_size_t n)
{
    unsigned char *d = dst;
    const unsigned char *s = src;
    if (d <= s) {
        for (__hone_size_t i = 0; i < n; i++)
            d[i] = s[i];
    } else {
        for (__hone_size_t i = n; i > 0; i--)
            d[i - 1] = s[i - 1];
    }
}
