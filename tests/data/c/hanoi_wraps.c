// expect: true
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

static int hanoi(int n) { return n == 1 ? 1 : 2 * hanoi(n - 1) + 1; }
int main(void) {
    check(hanoi(32) == -1 && hanoi(31) == 2147483647);
    return 0;
}
