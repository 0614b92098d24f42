// expect: true
// checks: division
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = __VERIFIER_nondet_int();
    return 100 / (x | 1) + 7 % (x * x * 0 + 3);
}
