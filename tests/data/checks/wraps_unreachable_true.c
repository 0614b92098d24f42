// expect: true
// checks: unsigned-overflow
// No run gets to the difference.
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint();
    if (n > 3 && n < 3)
        return n - 4;
    return 0;
}
