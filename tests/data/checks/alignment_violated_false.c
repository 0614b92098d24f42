// expect: false
// checks: memory+alignment
extern unsigned __VERIFIER_nondet_uint(void);
char bytes[16] __attribute__((aligned(8)));

int main(void)
{
    unsigned i = __VERIFIER_nondet_uint() % 8;
    int *word = (int *)(bytes + i);
    return *word;
}
