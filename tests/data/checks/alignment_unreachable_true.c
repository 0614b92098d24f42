// expect: true
// checks: memory+alignment
// No run gets to the access.
extern unsigned __VERIFIER_nondet_uint(void);
char bytes[16] __attribute__((aligned(8)));

int main(void)
{
    unsigned i = __VERIFIER_nondet_uint() % 8;
    if (i * 2 == 5)
        return *(int *)(bytes + 1);
    return 0;
}
