// expect: false
// checks: float-cast
extern double __VERIFIER_nondet_double(void);

int main(void)
{
    double x = __VERIFIER_nondet_double();
    if (x >= 1000.0 || x <= -1000.0)
        return 0;
    return (int)x;
}
