char *__hone_strncpy(char *dst, const char *src, __hone_size_t n)
{
    __hone_size_t i = 0;
    for (; i < n && src[i]; i++)
        dst[i] = src[i];
    for (; i < n; i++)
        dst[i] = 0;
    return dst;
}
