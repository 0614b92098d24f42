// expect: true
// checks: memory
// An array of no elements has an address, and nothing is inside of it.
extern int __VERIFIER_nondet_int(void);

static int sum(int n)
{
    int a[n];
    int s = 0;
    for (int i = 0; i < n; i++)
        a[i] = i;
    for (int i = 0; i < n; i++)
        s += a[i];
    return s;
}

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 3)
        return 0;
    return sum(n);
}
