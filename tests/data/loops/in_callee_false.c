// expect: false
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

int count(int n) { int c = 0; while (n > 0) { n -= 2; c++; } return c; }
int main(void) {
    int a = __VERIFIER_nondet_int();
    if (a > 12) return 0;
    check(count(a) + count(3) != 7);
    return 0;
}
