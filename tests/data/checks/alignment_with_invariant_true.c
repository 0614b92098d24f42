// expect: true
// checks: memory+alignment
// The offset grows by the size of a word.
extern int __VERIFIER_nondet_int(void);
char bytes[64] __attribute__((aligned(8)));

int main(void)
{
    unsigned i = 0;
    while (__VERIFIER_nondet_int())
        if (i < 60)
            i += 4;
    return *(int *)(bytes + i);
}
