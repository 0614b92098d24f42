// expect: false
// checks: call
extern int __VERIFIER_nondet_int(void);

static int twice(int x)
{
    return 2 * x;
}

int main(void)
{
    int (*operation)(int) = 0;
    if (__VERIFIER_nondet_int() > 3)
        operation = twice;
    return operation(1);
}
