char *__hone_rindex(const char *s, int c)
{
    char *last = (char *)0;
    for (;; s++) {
        if (*s == (char)c)
            last = (char *)s;
        if (!*s)
            return last;
    }
}
