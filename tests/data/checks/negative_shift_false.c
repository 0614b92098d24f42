// expect: false
// checks: shift+negative
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n > 100 || n < -100)
        return 0;
    return n << 2;
}
