// expect: false
// checks: unsigned-overflow
extern unsigned long __VERIFIER_nondet_ulong(void);

int main(void)
{
    unsigned __int128 a = __VERIFIER_nondet_ulong(), b = __VERIFIER_nondet_ulong();
    if (a < b)
        return a - 1 == 0;
    return a - b > 0;
}
