__hone_size_t __hone_strcspn(const char *s, const char *reject)
{
    __hone_size_t n = 0;
    for (; s[n]; n++) {
        __hone_size_t i = 0;
        while (reject[i] && reject[i] != s[n])
            i++;
        if (reject[i])
            break;
    }
    return n;
}
