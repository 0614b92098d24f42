char *__hone_strndup(const char *s, __hone_size_t max)
{
    __hone_size_t n = __hone_strnlen(s, max);
    char *copy = __hone_malloc(n + 1);
    if (copy) {
        __hone_memcpy(copy, s, n);
        copy[n] = 0;
    }
    return copy;
}
