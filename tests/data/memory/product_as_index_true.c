// expect: true
// checks: memory
// A product that the program wrote wraps around: of eight numbers for each index, most are large.
extern unsigned long __VERIFIER_nondet_ulong(void);

static char bytes[64], few[36];

int main(void) {
    unsigned long n = __VERIFIER_nondet_ulong(), i = 0xAAAAAAAAAAAAAAABul;
    if (n * 8 < sizeof bytes)
        bytes[n * 8] = 1;
    few[i * 12] = 1;
    return 0;
}
