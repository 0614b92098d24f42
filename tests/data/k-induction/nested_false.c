// expect: false
// k-induction: false
// The outer loop breaks what the inner one relies on, after a few rounds.
void reach_error(void);
int __VERIFIER_nondet_int(void);

int main(void) {
    int rounds = 0, limit = 3;
    while (__VERIFIER_nondet_int()) {
        int inside = 0;
        while (inside < limit) {
            inside++;
            if (inside > 5)
                reach_error();
        }
        rounds++;
        if (rounds == 4)
            limit = 6;
    }
    return 0;
}
