// expect: true
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    int x = 0;
    int *p = __VERIFIER_nondet_int() ? &x : 0;
    *p = 1;
    check(p == &x && x == 1);
    return 0;
}
