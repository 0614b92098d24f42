// expect: true
// args: --config octagon --check-proof
// octagon: true
// interval: unknown(too coarse)
// Two buyers share a budget: a sum of variables is bounded, although each of them alone may have all of it.
void reach_error(void);
int __VERIFIER_nondet_int(void);

int main(void) {
    int a = 0, b = 0;
    while (__VERIFIER_nondet_int()) {
        if (a + b < 100) {
            if (__VERIFIER_nondet_int())
                a++;
            else
                b++;
        }
    }
    if (a + b > 100)
        reach_error();
    return 0;
}
