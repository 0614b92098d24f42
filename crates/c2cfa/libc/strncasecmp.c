int __hone_strncasecmp(const char *a, const char *b, __hone_size_t n)
{
    for (__hone_size_t i = 0; i < n; i++) {
        int x = ((const unsigned char *)a)[i], y = ((const unsigned char *)b)[i];
        if (x >= 'A' && x <= 'Z')
            x += 'a' - 'A';
        if (y >= 'A' && y <= 'Z')
            y += 'a' - 'A';
        if (x != y || !x)
            return x - y;
    }
    return 0;
}
