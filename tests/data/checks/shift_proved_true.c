// expect: true
// checks: shift
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned by = __VERIFIER_nondet_uint();
    return (int)((1u << (by & 31)) + (1u >> by % 32));
}
