// expect: true
// value: true
// A state machine that runs for ever: its states are covered after one round.
int __VERIFIER_nondet_int(void);
void reach_error(void);

int main(void) {
    int state = 0, locked = 0;
    while (1) {
        int input = __VERIFIER_nondet_int();
        if (state == 0 && input > 3) {
            if (locked)
                reach_error();
            locked = 1;
            state = 1;
        } else if (state == 1) {
            if (!locked)
                reach_error();
            locked = 0;
            state = input == 7 ? 2 : 0;
        } else if (state == 2) {
            state = 0;
        }
    }
}
