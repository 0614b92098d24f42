// expect: true
// witness: it says nothing of the mask in `up`, which any other call may give
extern void __VERIFIER_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
static char buffer[10] __attribute__((aligned(16)));

static unsigned long up(unsigned long address, unsigned long align)
{
    return (address + align - 1) & ~(align - 1);
}

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint() % 10;
    unsigned long address = (unsigned long)(buffer + n);
    if (address % 16 != n || (address & 7) != (n & 7) || (-address & 7) != (-n & 7))
        __VERIFIER_error();
    if ((address | 1) - (unsigned long)buffer != (n | 1))
        __VERIFIER_error();
    char *next = (char *)up(address, 8);
    if (n <= 8 && next != buffer && next != buffer + 8)
        __VERIFIER_error();
    return 0;
}
