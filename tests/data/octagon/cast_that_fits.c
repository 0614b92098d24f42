// expect: true
// args: --config octagon --check-proof
// octagon: true
// interval: unknown(too coarse)
// A sum that fits into the narrow type is the same number there, whichever type its parts have.
void reach_error(void);
unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    unsigned char a = __VERIFIER_nondet_uchar(), b = __VERIFIER_nondet_uchar();
    if (a + b > 255)
        return 0;
    unsigned char c = (unsigned char)(a + b);
    if (c < a || c < b)
        reach_error();
    return 0;
}
