// expect: true
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

static int n;
static int next(void) { n++; return n < 6; }
int main(void) {
    int rounds = 0;
    while (next()) {
        int inner = 0;
        do { inner++; } while (inner < n);
        rounds += inner;
    }
    check(n == 6 && rounds == 15);
    return 0;
}
