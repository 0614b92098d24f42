// expect: true
// args: --config octagon --check-proof
// octagon: true
// interval: unknown(too coarse)
// A difference of unsigned numbers does not wrap around where the order is known.
void reach_error(void);
unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned used = __VERIFIER_nondet_uint(), size = __VERIFIER_nondet_uint();
    if (used > size)
        return 0;
    unsigned rest = size - used;
    if (rest > size)
        reach_error();
    for (unsigned left = rest; left > 0; left--)
        if (left > size)
            reach_error();
    return 0;
}
