// expect: true
// checks: memory
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 10)
        return 0;
    int all[n];
    all[n - 1] = 2;
    return all[n - 1];
}
