// expect: true
// checks: shift+negative
// No run gets to the shift.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n > 3 && n < 3)
        return (n - 10) << 2;
    return 0;
}
