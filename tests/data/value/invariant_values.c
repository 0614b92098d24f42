// expect: true
// value: true
// invariant: value proved with the invariant `held == 0` at line 13
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int held;
int rounds;

int main(void) {
    held = 0;

    while (__VERIFIER_nondet_int()) {
        if (held != 0) {
            reach_error();
        }
        held = 1;
        rounds++;
        if (held != 1) {
            reach_error();
        }
        held = 0;
    }
    return 0;
}
