// expect: false
extern void __VERIFIER_error(void);

static int counted;

static int count(void)
{
    counted++;
    return 3;
}

static int first(int n, int a[n++], int b[][count()])
{
    return n + a[0] + b[0][0];
}

int main(void)
{
    int a[3] = {1}, b[1][3] = {{2}};
    int sum = first(3, a, b);
    if (sum == 7 && counted == 1)
        __VERIFIER_error();
    return 0;
}
