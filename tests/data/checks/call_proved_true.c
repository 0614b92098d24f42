// expect: true
// checks: call
extern int __VERIFIER_nondet_int(void);

static int twice(int x)
{
    return 2 * (x & 255);
}

static int thrice(int x)
{
    return 3 * (x & 255);
}

static int (*const operations[2])(int) = {twice, thrice};

int main(void)
{
    int which = __VERIFIER_nondet_int();
    int (*operation)(int) = 0;
    if (which == 0 || which == 1)
        operation = operations[which];
    if (operation)
        return operation(which);
    return 0;
}
