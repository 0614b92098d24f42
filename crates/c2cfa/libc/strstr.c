char *__hone_strstr(const char *s, const char *find)
{
    for (;; s++) {
        __hone_size_t i = 0;
        while (find[i] && s[i] == find[i])
            i++;
        if (!find[i])
            return (char *)s;
        if (!*s)
            return (char *)0;
    }
}
