// expect: true
// checks: float-cast
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    double x = 1e30;
    int n = __VERIFIER_nondet_int();
    if (n > 5 && n < 5)
        return (int)x;
    return 0;
}
