char *__hone_stpcpy(char *dst, const char *src)
{
    while ((*dst = *src)) {
        dst++;
        src++;
    }
    return dst;
}
