__hone_size_t __hone_strnlen(const char *s, __hone_size_t max)
{
    __hone_size_t n = 0;
    while (n < max && s[n])
        n++;
    return n;
}
