// expect: false
// checks: unsigned-overflow
extern unsigned long __VERIFIER_nondet_ulong(void);

int main(void)
{
    unsigned __int128 a = __VERIFIER_nondet_ulong(), b = 1;
    if (a > 4)
        return 0;
    b <<= 126;
    return a * b > 7;
}
