char *__hone_strtok_r(char *s, const char *delimiters, char **rest)
{
    if (!s)
        s = *rest;
    if (!s)
        return (char *)0;
    s += __hone_strspn(s, delimiters);
    if (!*s) {
        *rest = (char *)0;
        return (char *)0;
    }
    char *end = s + __hone_strcspn(s, delimiters);
    if (*end) {
        *end = 0;
        *rest = end + 1;
    } else {
        *rest = (char *)0;
    }
    return s;
}
