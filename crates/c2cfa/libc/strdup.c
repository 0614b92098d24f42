char *__hone_strdup(const char *s)
{
    __hone_size_t n = __hone_strlen(s) + 1;
    char *copy = __hone_malloc(n);
    if (copy)
        __hone_memcpy(copy, s, n);
    return copy;
}
