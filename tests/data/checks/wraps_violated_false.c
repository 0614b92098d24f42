// expect: false
// checks: unsigned-overflow
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint(), m = __VERIFIER_nondet_uint();
    if (n > 10 || m > 10)
        return 0;
    return n - m > 5;
}
