// expect: true
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

int fact(int n) { return n <= 1 ? 1 : n * fact(n - 1); }
int main(void) {
    check(fact(6) == 720);
    return 0;
}
