// expect: true
// checks: unsigned-overflow
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned __int128 a = __VERIFIER_nondet_uint(), b = 1, c = 0;
    if (a > 3)
        return 0;
    b <<= 126;
    c = a << 126;
    return (a * b == c) + c * 0;
}
