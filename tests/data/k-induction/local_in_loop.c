// expect: true
// args: --config k-induction
// k-induction: true
// Each iteration has an array of its own, whose content is arbitrary until it is written.
void reach_error(void);
int __VERIFIER_nondet_int(void);

int main(void) {
    int sum = 0;
    while (__VERIFIER_nondet_int()) {
        int pair[2];
        pair[0] = __VERIFIER_nondet_int();
        pair[1] = pair[0];
        if (pair[0] != pair[1])
            reach_error();
        sum += pair[1] - pair[0];
        if (sum != 0)
            reach_error();
    }
    return 0;
}
