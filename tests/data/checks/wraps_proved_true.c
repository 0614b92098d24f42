// expect: true
// checks: unsigned-overflow
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint(), m = __VERIFIER_nondet_uint();
    unsigned long long product = (unsigned long long)n * m;
    if (n < m)
        return 0;
    unsigned rest = n - m;
    for (unsigned i = 0; i < 10; i++)
        rest /= 2;
    return product > rest;
}
