char *__hone_stpncpy(char *dst, const char *src, __hone_size_t n)
{
    __hone_size_t i = 0;
    for (; i < n && src[i]; i++)
        dst[i] = src[i];
    for (__hone_size_t j = i; j < n; j++)
        dst[j] = 0;
    return dst + i;
}
