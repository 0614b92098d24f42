// expect: true
// An endless loop over finitely many states: every state is seen after a few iterations.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_error(void);

int main(void) {
    int state = 1, flag = 0;
    while (1) {
        int input = __VERIFIER_nondet_int();
        if (state == 1) {
            state = input > 0 ? 2 : 1;
        } else if (state == 2) {
            flag = 1;
            state = input > 5 ? 3 : 2;
        } else if (state == 3) {
            if (!flag) __VERIFIER_error();
            state = 1;
        } else {
            __VERIFIER_error();
        }
    }
}
