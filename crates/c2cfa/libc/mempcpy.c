void *__hone_mempcpy(void *dst, const void *src, __hone_size_t n)
{
    unsigned char *d = dst;
    const unsigned char *s = src;
    for (__hone_size_t i = 0; i < n; i++)
        d[i] = s[i];
    return d + n;
}
