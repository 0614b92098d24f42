__hone_size_t __hone_strspn(const char *s, const char *accept)
{
    __hone_size_t n = 0;
    for (; s[n]; n++) {
        __hone_size_t i = 0;
        while (accept[i] && accept[i] != s[n])
            i++;
        if (!accept[i])
            break;
    }
    return n;
}
