__hone_size_t __hone_strlen(const char *s)
{
    __hone_size_t n = 0;
    while (s[n])
        n++;
    return n;
}
