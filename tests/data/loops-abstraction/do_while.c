// expect: true
// args: --loop-abstraction on
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    int n = __VERIFIER_nondet_int();
    unsigned i = 0, h = 1;
    do {
        h = h * 33 ^ i;
        i += 2;
    } while ((int)i < n);
    check((int)i >= n);
    return 0;
}
