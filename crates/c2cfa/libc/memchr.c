void *__hone_memchr(const void *s, int c, __hone_size_t n)
{
    const unsigned char *p = s;
    for (__hone_size_t i = 0; i < n; i++) {
        if (p[i] == (unsigned char)c)
            return (void *)(p + i);
    }
    return (void *)0;
}
