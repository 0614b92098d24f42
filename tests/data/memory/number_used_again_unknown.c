// expect: unknown(unsupported: address of freed memory)
// The number of an address that was freed, and the address of a block that may lie there.
extern void reach_error(void);
extern void *malloc(unsigned long);
extern void free(void *);

int main(void) {
    void *block = malloc(8);
    unsigned long number = (unsigned long)block;
    free(block);
    block = malloc(8);
    if (block && (unsigned long)block == number)
        reach_error();
    return 0;
}
