// expect: true
// args: --config octagon --check-proof
// octagon: true
// interval: unknown(too coarse)
// A number and its negative add up to zero, unless it is the least one.
void reach_error(void);
int __VERIFIER_nondet_int(void);

int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x == -2147483647 - 1)
        return 0;
    int y = -x;
    if (x <= y && x > 0)
        reach_error();
    if (y > 5 && x > -6)
        reach_error();
    return 0;
}
