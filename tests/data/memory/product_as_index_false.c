// expect: false
// checks: memory
// The size of an element is no factor of the program's: the address of `words[n]` does not wrap around.
extern unsigned long __VERIFIER_nondet_ulong(void);

static long words[8];

int main(void) {
    unsigned long n = __VERIFIER_nondet_ulong();
    if (n * 8 < sizeof words)
        words[n] = 1;
    return 0;
}
