// expect: true
// args: --config octagon --check-proof
// octagon: true
// interval: unknown(too coarse)
// What one counter loses the other one gets.
void reach_error(void);
int __VERIFIER_nondet_int(void);

int main(void) {
    int i = 0, j = 1000;
    while (j > 0) {
        int step = __VERIFIER_nondet_int();
        if (step < 1 || step > j)
            step = j;
        if (step == 1) {
            i++;
            j--;
        }
    }
    if (i + j != 1000)
        reach_error();
    if (i != 1000)
        reach_error();
    return 0;
}
