// expect: true
// args: --config k-induction
// k-induction: true
// interval: true
// Two counters stay together; neither of them is bounded by itself.
void reach_error(void);
int __VERIFIER_nondet_int(void);

int main(void) {
    int i = 0, j = 0, n = __VERIFIER_nondet_int();
    while (i < n) {
        i++;
        j++;
    }
    if (i < j || j < i)
        reach_error();
    return 0;
}
