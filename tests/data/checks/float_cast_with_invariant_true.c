// expect: true
// checks: float-cast
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    double x = 0;
    while (__VERIFIER_nondet_int()) {
        x += 1;
        if (x > 100)
            x = 0;
    }
    return (signed char)x;
}
