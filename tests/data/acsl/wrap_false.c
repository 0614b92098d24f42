// expect: false
// environment: --acsl
// The sum is not what the program computes.
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned u = __VERIFIER_nondet_uint();
    unsigned v = u + 1;
    //@ assert v == u + 1;
    return 0;
}
