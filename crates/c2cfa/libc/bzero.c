void __hone_bzero(void *dst, __hone_size_t n)
{
    unsigned char *d = dst;
    for (__hone_size_t i = 0; i < n; i++)
        d[i] = 0;
}
