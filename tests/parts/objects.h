struct pair {
    int first;
    struct pair *next;
};

int sum(void);
int read_shared(void);
int twice(int x);

/* Each file has its own. */
static int half(int x)
{
    return x / 2;
}
