char *__hone_strcpy(char *dst, const char *src)
{
    __hone_size_t i = 0;
    while ((dst[i] = src[i]))
        i++;
    return dst;
}
