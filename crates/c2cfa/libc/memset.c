void *__hone_memset(void *dst, int c, __hone_size_t n)
{
    unsigned char *d = dst;
    for (__hone_size_t i = 0; i < n; i++)
        d[i] = (unsigned char)c;
    return dst;
}
