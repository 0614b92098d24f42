// expect: true
// checks: uninitialised
// No run reads the variable.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = __VERIFIER_nondet_int(), unset;
    if (x > 3 && x < 3)
        return unset;
    return 0;
}
