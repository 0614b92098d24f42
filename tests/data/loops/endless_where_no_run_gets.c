// expect: true
// Constants let the loop go on for ever, and only arithmetic tells that no run gets to it.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x < 6 || x > 1000 || 2 * x > 11)
        return 0;
    unsigned word = 0, bit = 0;
    while (!(word & 1)) {
        word >>= 1;
        bit++;
        if (bit == 0)
            reach_error();
    }
    return 0;
}
