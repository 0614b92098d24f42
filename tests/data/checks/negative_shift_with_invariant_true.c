// expect: true
// checks: shift+negative
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = 10;
    while (__VERIFIER_nondet_int())
        if (n > 0)
            n--;
    return n << 2;
}
