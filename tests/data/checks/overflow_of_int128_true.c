// expect: true
// checks: overflow,unsigned-overflow,conversion
extern unsigned long __VERIFIER_nondet_ulong(void);
extern long __VERIFIER_nondet_long(void);

int main(void)
{
    long n = __VERIFIER_nondet_long();
    __int128 greatest = (((__int128)1 << 126) - 1) * 2 + 1;
    __int128 near = greatest - 10;
    __int128 fits = (__int128)n - __VERIFIER_nondet_long();
    unsigned __int128 a = __VERIFIER_nondet_ulong(), b = __VERIFIER_nondet_ulong();
    if (n >= 0 && n <= 10) {
        near = near + n;
        fits = -greatest - near % 2 + n;
    }
    if (b > a) {
        unsigned __int128 swapped = a;
        a = b;
        b = swapped;
    }
    unsigned __int128 difference = a - b;
    int small = difference % 2 != 0;
    if (difference < 100)
        small = difference;
    return small + (fits > 0);
}
