// expect: false
// checks: overflow
// The least number has no product with -1.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    __int128 least = -(((__int128)1 << 126) - 1) * 2 - 2;
    __int128 factor = __VERIFIER_nondet_int() ? 1 : -1;
    return least * factor > 0;
}
