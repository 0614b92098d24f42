// expect: false
// value: false
// The first error path is infeasible, although no value shows it; a run that goes round the loop more often is a violation.
int __VERIFIER_nondet_int(void);
void reach_error(void);

int main(void) {
    int x = __VERIFIER_nondet_int(), y = x;
    int i = 0, n = __VERIFIER_nondet_int();
    if (n < 0 || n > 5)
        return 0;
    while (i < n) {
        y = y + 1;
        i = i + 1;
    }
    if (y == x + 3)
        reach_error();
    return 0;
}
