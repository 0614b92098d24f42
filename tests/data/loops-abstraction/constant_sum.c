// expect: true
// args: --loop-abstraction on
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    unsigned x = 7;
    for (unsigned i = 0; i < 1000000000; i++) x += 3;
    check(x == 3000000007u);
    return 0;
}
