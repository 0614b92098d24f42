// expect: false
// checks: uninitialised
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    _Bool found;
    for (int i = 0; i < 2; i++)
        if (__VERIFIER_nondet_int() == i)
            found = 1;
    if (found)
        return 1;
    return 0;
}
