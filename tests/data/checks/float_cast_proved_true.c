// expect: true
// checks: float-cast
extern double __VERIFIER_nondet_double(void);

int main(void)
{
    double x = __VERIFIER_nondet_double();
    int a = 0;
    unsigned char b = 0;
    if (x > -2147483649.0 && x < 2147483648.0)
        a = x;
    if (x > -1.0 && x < 256.0)
        b = x;
    return a + b > 0;
}
