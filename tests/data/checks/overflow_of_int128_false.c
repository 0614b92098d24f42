// expect: false
// checks: overflow
extern long __VERIFIER_nondet_long(void);

int main(void)
{
    long n = __VERIFIER_nondet_long();
    __int128 least = -(((__int128)1 << 126) - 1) * 2 - 2;
    __int128 near = least + 10;
    if (n < -10 || n > 11)
        return 0;
    return near - n > 0;
}
