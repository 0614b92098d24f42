// expect: true
// checks: uninitialised
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    _Bool found;
    if (__VERIFIER_nondet_int())
        found = 1;
    else
        found = 0;
    return found;
}
