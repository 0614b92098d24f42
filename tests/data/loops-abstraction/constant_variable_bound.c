// expect: true
// args: --loop-abstraction on
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    unsigned n = __VERIFIER_nondet_uint(), i = 0, s = 5;
    while (i < n) {
        i++;
        s += 2;
    }
    check(i == n && s == 2 * n + 5);
    return 0;
}
