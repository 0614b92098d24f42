void __hone_qsort(void *base, __hone_size_t n, __hone_size_t size, int (*compare)(const void *, const void *))
{
    unsigned char *items = base;
    for (__hone_size_t i = 1; i < n; i++) {
        for (__hone_size_t j = i; j > 0; j--) {
            unsigned char *a = items + (j - 1) * size;
            unsigned char *b = a + size;
            if (compare(a, b) <= 0)
                break;
            for (__hone_size_t k = 0; k < size; k++) {
                unsigned char byte = a[k];
                a[k] = b[k];
                b[k] = byte;
            }
        }
    }
}
