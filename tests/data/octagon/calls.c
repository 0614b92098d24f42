// expect: true
// args: --config octagon --check-proof
// octagon: true
// interval: unknown(too coarse)
// What a function does to its parameters relates its result to the arguments.
void reach_error(void);
int __VERIFIER_nondet_int(void);

static int rest(int from, int limit) {
    while (from < limit && __VERIFIER_nondet_int())
        from++;
    return limit - from;
}

int main(void) {
    int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
    if (a < 0 || b < a || b > 1000)
        return 0;
    int c = rest(a, b);
    if (c < 0 || c > b)
        reach_error();
    return 0;
}
