// expect: false
// checks: return
extern int __VERIFIER_nondet_int(void);

static int always(int x)
{
    return x & 1;
}

static int sometimes(int x)
{
    if (x)
        return 1;
}

int main(void)
{
    int (*ask)(int) = __VERIFIER_nondet_int() ? always : sometimes;
    return ask(__VERIFIER_nondet_int());
}
