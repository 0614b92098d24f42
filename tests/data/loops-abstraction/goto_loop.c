// expect: true
// args: --loop-abstraction on
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    unsigned x = __VERIFIER_nondet_uint(), h = 3;
again:
    if (x > 100) {
        h = h * x + 1;
        x = x / 3;
        goto again;
    }
    check(x <= 100);
    return 0;
}
