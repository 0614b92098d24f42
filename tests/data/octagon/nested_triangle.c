// expect: true
// args: --config octagon --check-proof
// octagon: true
// interval: unknown(too coarse)
// What is left of the inner loop is never more than the outer counter.
void reach_error(void);
int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 1000)
        return 0;
    for (int i = 0; i < n; i++) {
        int j = 0;
        while (j < i && __VERIFIER_nondet_int())
            j++;
        int k = i - j;
        if (k < 0 || k > i || k >= n)
            reach_error();
    }
    return 0;
}
