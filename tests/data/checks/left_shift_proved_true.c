// expect: true
// checks: overflow
// Shifts to the right and of unsigned numbers have a value whatever is shifted; so have those to the left of numbers that fit.
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    int by = __VERIFIER_nondet_int();
    unsigned bits = __VERIFIER_nondet_uint();
    bits = bits << (by & 31);
    if (n < 0 || n > 1000 || by < 0 || by > 20)
        return n >> 3;
    return (n << by) + (short)bits;
}
