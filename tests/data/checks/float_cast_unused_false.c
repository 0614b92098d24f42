// expect: false
// checks: float-cast
extern double __VERIFIER_nondet_double(void);

int main(void)
{
    double x = __VERIFIER_nondet_double();
    if (x < 3e9)
        (void)(int)x;
    return 0;
}
