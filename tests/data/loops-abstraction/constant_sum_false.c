// expect: false
// args: --loop-abstraction on
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    unsigned x = 0;
    for (unsigned i = 0; i < 100000; i++) x += 3;
    check(x != 300000);
    return 0;
}
