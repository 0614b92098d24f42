// expect: false
// checks: pointer-overflow
extern unsigned long __VERIFIER_nondet_ulong(void);
char buffer[10];

int main(void)
{
    char *end = buffer + __VERIFIER_nondet_ulong();
    return end < buffer;
}
