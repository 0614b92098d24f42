// expect: true
// checks: shift
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned x = __VERIFIER_nondet_uint();
    if (x > 5 && x < 4)
        return 1 << 40;
    return 0;
}
