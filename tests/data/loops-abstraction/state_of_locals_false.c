// expect: false
// args: --loop-abstraction on
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    int x = 0, y = 5;
    while (__VERIFIER_nondet_int()) {
        int t = x;
        x = y;
        y = t;
    }
    check(x == 0);
    return 0;
}
