// expect: true
// checks: overflow
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    __int128 most = (((__int128)1 << 126) - 1) * 2 + 1, least = -most - 1;
    __int128 a = 3, b = 4, one = 1, none = 0, half = most / 2;
    if (__VERIFIER_nondet_int())
        one = -1;
    __int128 c = a * b, d = most * one + most * none + none * least;
    if (one > 0)
        c = least * one;
    else
        c = half * 2 + half * (one - 1);
    return c == d;
}
