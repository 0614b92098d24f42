// expect: false
// checks: unsigned-overflow
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned __int128 a = __VERIFIER_nondet_uint();
    if (a > 4)
        return 0;
    return a << 126 > 7;
}
