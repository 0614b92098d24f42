char *__hone_strncat(char *dst, const char *src, __hone_size_t max)
{
    __hone_size_t n = 0, i = 0;
    while (dst[n])
        n++;
    for (; i < max && src[i]; i++)
        dst[n + i] = src[i];
    dst[n + i] = 0;
    return dst;
}
