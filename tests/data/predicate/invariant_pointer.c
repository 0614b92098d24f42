// expect: true
// predicate: true
// invariant: predicate `(p == &x || p == &y) && x == 1 && y == 1`, and more, at line 14
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int x = 1;
    int y = 1;
    int *p = &x;
    if (__VERIFIER_nondet_int()) {
        p = &y;
    }
    while (__VERIFIER_nondet_int()) {
        if (*p != 1) {
            reach_error();
        }
    }
    return 0;
}
