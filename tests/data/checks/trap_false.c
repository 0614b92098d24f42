// expect: false
// harness: a trap ends a native run by a signal
// A trap is a check of the program's own, as `assert` is.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = __VERIFIER_nondet_int();
    if (x == 3)
        __builtin_trap();
    return 0;
}
