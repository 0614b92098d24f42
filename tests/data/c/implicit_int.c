// expect: true
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

static f(x) { return x + 1; }
static counter;
main() {
    const k = 3;
    counter += f(k);
    check(counter == 4);
    return 0;
}
