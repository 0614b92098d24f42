// expect: unknown(unsupported: address of freed memory)
// checks: memory,free,leak
// A machine may allocate the second block where the first one was, and then frees it twice.
extern void *malloc(unsigned long);
extern void free(void *);

int main(void) {
    char *first = malloc(8), *second;
    free(first);
    second = malloc(8);
    if (second && second == first)
        free(second);
    free(second);
    return 0;
}
