// expect: true
// args: --loop-abstraction on
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    int n = __VERIFIER_nondet_int(), i, found = 0;
    if (n < 0) return 0;
    for (i = 0; i < n; i++) {
        if (__VERIFIER_nondet_int()) {
            found = 1;
            break;
        }
    }
    check(found ? i < n : i >= n);
    return 0;
}
