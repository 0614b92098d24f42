// expect: true
// checks: pointer-overflow
extern int __VERIFIER_nondet_int(void);
char buffer[10];

int main(void)
{
    unsigned i = 0;
    while (__VERIFIER_nondet_int())
        if (i < 10)
            i++;
    char *end = buffer + i;
    return end - buffer;
}
