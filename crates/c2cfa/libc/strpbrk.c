char *__hone_strpbrk(const char *s, const char *accept)
{
    for (; *s; s++) {
        for (__hone_size_t i = 0; accept[i]; i++) {
            if (accept[i] == *s)
                return (char *)s;
        }
    }
    return (char *)0;
}
