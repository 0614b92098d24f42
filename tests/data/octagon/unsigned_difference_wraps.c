// expect: false
// octagon: false
// The difference of unsigned numbers wraps around, and what is left is more than there was.
void reach_error(void);
unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned used = __VERIFIER_nondet_uint(), size = __VERIFIER_nondet_uint();
    unsigned rest = size - used;
    if (rest > size)
        reach_error();
    return 0;
}
