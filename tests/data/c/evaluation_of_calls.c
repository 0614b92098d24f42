// expect: true
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

static int log_, n;
static int mark(int k) { log_ = log_ * 10 + k; return k; }
int main(void) {
    int a[3] = {0, 0, 0};
    if (mark(1) && (mark(0) || mark(2)) && !mark(0)) n = 1;
    check(log_ == 1020 && n == 1);
    int r = mark(0) ? mark(7) : mark(3);
    check(r == 3 && log_ == 102003);
    a[mark(2)]++;
    check(a[2] == 1);
    a[mark(1)] += mark(4);
    check(a[1] == 4);
    do { if (n++ > 3) break; continue; } while (mark(0), n < 10);
    check(n == 5);
    return 0;
}
