// expect: true
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    int n = 0;
    goto inside;
    if (n) {
        n = 50;
inside:
        n += 2;
    } else {
        n = 90;
    }
    check(n == 2);
    { int x = 4; n += x; }
    check(n == 6);
    return 0;
}
