// expect: false
// data-model: LLP64
// checks: overflow
// A product that fits where `long` has 64 bits.

extern int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 100000)
        return 0;
    long square = (long)n * n;
    return square > 5;
}
