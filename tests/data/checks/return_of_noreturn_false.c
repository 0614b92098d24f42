// expect: false
// checks: return
// harness: gcc's sanitizer does not look at functions that must not return
extern int __VERIFIER_nondet_int(void);

static _Noreturn void stop(int x)
{
    while (x > 0)
        ;
}

int main(void)
{
    if (__VERIFIER_nondet_int() > 5)
        stop(__VERIFIER_nondet_int());
    return 0;
}
