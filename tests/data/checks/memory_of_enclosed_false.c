// expect: false
// checks: memory
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int k = __VERIFIER_nondet_int(), *p = &k;
    // Each of both is a block, with which the literal ends.
    if (k > 1)
        p = &(int){3};
    return *p > 2;
}
