// expect: true
// checks: memory
// data-model: ILP32
extern unsigned __VERIFIER_nondet_uint(void);

static char bytes[64];

int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    if (n * 8 < sizeof bytes)
        bytes[n * 8] = 1;
    return 0;
}
