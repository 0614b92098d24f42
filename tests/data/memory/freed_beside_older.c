// expect: true
// What was allocated before a block was freed does not lie in its place.
extern void reach_error(void);
extern void *malloc(unsigned long);
extern void free(void *);

int main(void) {
    char *older = malloc(8), *freed = malloc(8), *newer, *none = 0;
    if (!older || !freed)
        return 0;
    free(freed);
    if (older == freed || freed == none)
        reach_error();
    newer = malloc(8);
    if (newer == older && newer)
        reach_error();
    return 0;
}
