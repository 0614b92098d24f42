// expect: true
// checks: pointer-overflow
extern unsigned __VERIFIER_nondet_uint(void);
char buffer[10];

int main(void)
{
    char *end = buffer + __VERIFIER_nondet_uint() % 11;
    return end - buffer;
}
