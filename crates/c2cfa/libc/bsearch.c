void *__hone_bsearch(const void *key, const void *base, __hone_size_t n, __hone_size_t size,
                     int (*compare)(const void *, const void *))
{
    __hone_size_t low = 0, high = n;
    while (low < high) {
        __hone_size_t mid = low + (high - low) / 2;
        const unsigned char *item = (const unsigned char *)base + mid * size;
        int order = compare(key, item);
        if (order == 0)
            return (void *)item;
        if (order < 0)
            high = mid;
        else
            low = mid + 1;
    }
    return (void *)0;
}
