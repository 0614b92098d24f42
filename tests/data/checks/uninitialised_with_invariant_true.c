// expect: true
// checks: uninitialised
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int last;
    unsigned n = 0;
    while (__VERIFIER_nondet_int()) {
        last = __VERIFIER_nondet_int();
        if (n < 1000)
            n++;
    }
    if (n > 0)
        return last;
    return 0;
}
