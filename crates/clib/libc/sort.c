// Compares the pairs that the merge sort of glibc compares, in its order: the halves of a range are merged when its last item is there. Loops
// count with constants where n is none.
void __hone_qsort@(void *base, __hone_size_t n, __hone_size_t size, int (*compare)(const void *, const void *TYPE)PARAMETER)
{
    unsigned char *items = base;
    for (__hone_size_t count = 2; count <= n; count++) {
        for (__hone_size_t last = 1; last < count && count == n; last++) {
            __hone_size_t split = last, low = __hone__first_half(count, split, last);
            while (low < split) {
                // No item before this one is compared again.
                __hone_size_t next = low;
                for (__hone_size_t j = split; j <= last; j++) {
                    unsigned char *b = items + j * size;
                    int is_placed = 0;
                    for (__hone_size_t i = low; i < j; i++) {
                        unsigned char *a = items + i * size;
                        if (!is_placed && i >= next && compare(a, bDATA) > 0) {
                            is_placed = 1;
                            next = i + 1;
                        }
                        if (is_placed) {
                            for (__hone_size_t k = 0; k < size; k++) {
                                unsigned char byte = a[k];
                                a[k] = b[k];
                                b[k] = byte;
                            }
                        }
                    }
                    if (!is_placed)
                        next = count;
                }
                split = low;
                low = __hone__first_half(count, split, last);
            }
        }
    }
}
