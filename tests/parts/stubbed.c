/* A file that another one replaces functions of, and whose static functions it calls. */
static int twice(int x)
{
    return 2 * x;
}

int slow(int x)
{
    while (x > 0) {
        x = slow(x - 1);
    }
    return x;
}

int both(int x)
{
    return slow(x) + twice(x);
}
