// expect: false
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

static int down(int n);
static int stop(int n) { return 50; }
static int (*step)(int) = down;
static int down(int n) { if (n == 3) step = stop; return n <= 0 ? 0 : 1 + step(n - 1); }
int main(void) {
    int r = step(6);
    check(r == 6);
    return 0;
}
