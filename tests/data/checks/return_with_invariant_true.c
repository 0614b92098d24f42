// expect: true
// checks: return
extern int __VERIFIER_nondet_int(void);

static int small(unsigned x)
{
    if (x <= 10)
        return 0;
}

int main(void)
{
    unsigned n = 0;
    while (__VERIFIER_nondet_int())
        if (n < 10)
            n++;
    return small(n);
}
