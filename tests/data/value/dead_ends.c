// expect: true
// value: true
// Runs that get into a long chain of conditions none of which holds lead to no abstract state; the proof has to say so.
int __VERIFIER_nondet_int(void);
void reach_error(void);

int main(void) {
    int mode = 1, x = 0;
    while (__VERIFIER_nondet_int()) {
        int branch = __VERIFIER_nondet_int();
        if (branch) {
            int copy = mode;
            if (copy == 2) x = 1;
            if (copy == 3) x = 2;
            if (copy == 4) x = 3;
            if (copy == 5) x = 4;
            if (copy == 6) x = 5;
            if (copy == 7) x = 6;
            if (x != 0)
                reach_error();
            while (copy == 1) {
            }
        }
        mode = mode == 1 ? 1 : 2;
    }
    return 0;
}
