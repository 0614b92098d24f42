char *__hone_strsep(char **string, const char *delimiters)
{
    char *begin = *string;
    if (!begin)
        return (char *)0;
    char *end = begin + __hone_strcspn(begin, delimiters);
    if (*end) {
        *end = 0;
        *string = end + 1;
    } else {
        *string = (char *)0;
    }
    return begin;
}
