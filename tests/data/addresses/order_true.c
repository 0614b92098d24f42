// expect: true
// Whichever buffer comes first, what is moved is the same.
extern void __VERIFIER_error(void);

static void move(char *to, const char *from, unsigned n)
{
    if (to < from) {
        for (unsigned i = 0; i < n; i++)
            to[i] = from[i];
    } else {
        for (unsigned i = n; i > 0; i--)
            to[i - 1] = from[i - 1];
    }
}

int main(void)
{
    char a[4] = "abc", b[4];
    move(b, a, 4);
    if (b[0] != 'a' || b[3] != 0)
        __VERIFIER_error();
    return 0;
}
