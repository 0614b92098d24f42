// expect: true
// args: --config octagon --check-proof
// octagon: true
// interval: unknown(too coarse)
// Two numbers on both sides of zero move away from it by the same steps.
void reach_error(void);
int __VERIFIER_nondet_int(void);

int main(void) {
    int up = 0, down = 0;
    while (__VERIFIER_nondet_int() && up < 1000000) {
        up++;
        down--;
    }
    if (up != -down)
        reach_error();
    if (down < -1000000)
        reach_error();
    return 0;
}
