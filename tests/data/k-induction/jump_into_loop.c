// expect: false
// k-induction: false
// The loop is entered in the middle, past its head.
void reach_error(void);
int __VERIFIER_nondet_int(void);

int main(void) {
    int x = 0, y = 0;
    if (__VERIFIER_nondet_int()) {
        y = 7;
        goto inside;
    }
    while (x < 10) {
        if (y == 7 && x == 3)
            reach_error();
    inside:
        x++;
    }
    return 0;
}
