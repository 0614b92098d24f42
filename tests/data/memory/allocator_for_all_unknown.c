// expect: unknown(unsupported: address of freed memory)
// A function allocates for all: a block may lie where one lay that the same call made, and freed.
extern void reach_error(void);
extern void *malloc(unsigned long);
extern void free(void *);

static void *make(unsigned long size)
{
    return malloc(size);
}

int main(void)
{
    char *all[2];
    for (int i = 0; i < 2; i++) {
        all[i] = make(8);
        free(all[i]);
    }
    char *other = make(16);
    if (other && all[0] && all[0] == all[1])
        reach_error();
    free(other);
    return 0;
}
