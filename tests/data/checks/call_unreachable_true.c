// expect: true
// checks: call
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    void (*nothing)(void) = 0;
    unsigned x = __VERIFIER_nondet_uint() % 10;
    if (x * x == 50)
        nothing();
    return 0;
}
