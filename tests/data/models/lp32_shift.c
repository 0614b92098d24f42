// expect: false
// data-model: LP32
// checks: shift
// The bit is none of an `int`.

extern int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    return n > 0 ? 1 << 16 : 0;
}
