// expect: true
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

int f(int n, int (*g)(int, void *), void *h);
int step(int n, void *h) { return n == 0 ? 0 : 1 + f(n - 1, step, h); }
int f(int n, int (*g)(int, void *), void *h) { return g(n, h); }
int main(void) {
    check(f(3, step, 0) == 3);
    return 0;
}
