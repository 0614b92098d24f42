// expect: true
// checks: pointer-overflow
// No run gets to the sum.
extern unsigned long __VERIFIER_nondet_ulong(void);
char buffer[10];

int main(void)
{
    unsigned long n = __VERIFIER_nondet_ulong();
    if (n > 3 && n < 3)
        return *(buffer + (n << 60));
    return 0;
}
