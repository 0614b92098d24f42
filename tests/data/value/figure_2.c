// expect: true
// value: true
// Figure 2 of the same paper: one refinement finds `a`, which matters on two branches.
int __VERIFIER_nondet_int(void);
void reach_error(void);

int main(void) {
    int a = 0, b = __VERIFIER_nondet_int();
    if (b == 0) {
        if (a == 1)
            reach_error();
    } else {
        if (a == 2)
            reach_error();
    }
    return 0;
}
