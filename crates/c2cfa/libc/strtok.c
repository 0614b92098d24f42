static char *__hone_strtok_rest;

char *__hone_strtok(char *s, const char *delimiters)
{
    if (!s)
        s = __hone_strtok_rest;
    if (!s)
        return (char *)0;
    s += __hone_strspn(s, delimiters);
    if (!*s) {
        __hone_strtok_rest = (char *)0;
        return (char *)0;
    }
    char *end = s + __hone_strcspn(s, delimiters);
    if (*end) {
        *end = 0;
        __hone_strtok_rest = end + 1;
    } else {
        __hone_strtok_rest = (char *)0;
    }
    return s;
}
