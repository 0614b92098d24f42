// expect: true
// predicate: true
// witness: what a recursive function returns is no invariant of a loop
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static int times(int a, int b) {
    if (b == 0) return 0;
    return times(a, b - 1) + a;
}

int main(void) {
    int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
    if (a < 0 || b < 0) return 0;
    if (times(a, b) != times(b, a)) reach_error();
    return 0;
}
