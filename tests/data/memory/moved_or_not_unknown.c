// expect: unknown(unsupported: address of freed memory)
// A block that grows need not move.
extern void reach_error(void);
extern void *malloc(unsigned long);
extern void *realloc(void *, unsigned long);

int main(void) {
    char *small = malloc(8), *large;
    if (!small)
        return 0;
    large = realloc(small, 9);
    if (large == small)
        reach_error();
    return 0;
}
