// expect: true
// args: --loop-abstraction on
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

static unsigned steps, limit;
static void step(void) { steps += 2; limit ^= steps; }
int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    while (n - 1 < 1000000000) {
        step();
        n = __VERIFIER_nondet_uint();
    }
    check(n == 0 || n > 1000000000);
    return 0;
}
