// expect: false
// checks: memory
// harness: sanitizers do not see that an array of variable length has ended
// A jump out of the block ends the array, too.
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int n = __VERIFIER_nondet_int(), *p = &n;
    if (n < 1 || n > 8)
        return 0;
    {
        int v[n];
        v[n - 1] = 3;
        p = v;
        if (n == 5)
            goto out;
        p = &n;
    }
out:
    return *p;
}
