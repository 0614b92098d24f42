// expect: false
// checks: memory
// harness: the same place is used again, so that the sanitizer sees nothing
int *last;

static void keep(int x)
{
    int copy = x;
    if (last)
        *last = 1;
    last = &copy;
}

int main(void)
{
    for (int i = 0; i < 3; i++)
        keep(i);
    return 0;
}
