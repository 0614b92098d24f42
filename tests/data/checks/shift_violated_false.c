// expect: false
// checks: shift
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned by = __VERIFIER_nondet_uint();
    if (by > 40)
        return 0;
    return (int)(1u << by);
}
