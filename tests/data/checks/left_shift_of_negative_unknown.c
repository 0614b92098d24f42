// expect: unknown(unsupported: left shift)
// checks: overflow
// C gives a negative number that is shifted to the left no value, although the product would fit.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < -1)
        return 0;
    return (n >> 8) << 4;
}
