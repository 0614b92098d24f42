// expect: true
// checks: overflow
extern long __VERIFIER_nondet_long(void);

int main(void)
{
    __int128 a = __VERIFIER_nondet_long(), b = __VERIFIER_nondet_long();
    __int128 c = a * b;
    return c > 0;
}
