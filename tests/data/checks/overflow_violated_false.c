// expect: false
// checks: overflow
// The greatest number has no successor.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = __VERIFIER_nondet_int();
    if (x < 0)
        return 0;
    return x + 1;
}
