// expect: true
// args: --loop-abstraction on
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    int i, s = 0;
    for (i = 0; i != 500000000; i += 5) s -= 2;
    check(s == -200000000);
    return 0;
}
