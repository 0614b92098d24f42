// expect: false
// Nor need the second block lie where the first one was.
extern void reach_error(void);
extern void *malloc(unsigned long);
extern void free(void *);

int main(void) {
    void *first = malloc(8), *second;
    if (!first)
        return 0;
    free(first);
    second = malloc(64);
    if (second && second != first)
        reach_error();
    return 0;
}
