char *__hone_strcat(char *dst, const char *src)
{
    __hone_size_t n = 0, i = 0;
    while (dst[n])
        n++;
    while ((dst[n + i] = src[i]))
        i++;
    return dst;
}
