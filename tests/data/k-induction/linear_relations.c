// expect: true
// k-induction: true
// invariant: k-induction n == x + y
// What counters have in common is an equation: of the first loop x + y == n, of the second 2 * i == s + 2 and z == a + b.
extern unsigned __VERIFIER_nondet_uint(void);
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    unsigned n = __VERIFIER_nondet_uint(), x = n, y = 0;
    while (x > 0) {
        x = x - 1;
        y = y + 1;
    }
    check(y == n);
    unsigned a = 0, b = 0, z = 0, i = 1;
    int s = 0;
    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int())
            a++;
        else
            b++;
        z++;
        i++;
        s += 2;
    }
    check(z == a + b);
    check((unsigned)s == 2 * i - 2);
    return 0;
}
