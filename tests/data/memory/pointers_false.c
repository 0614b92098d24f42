// expect: false
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    int a = 1, b = 2;
    int *p = __VERIFIER_nondet_int() ? &a : &b;
    *p = 7;
    check(a == 7);
    return 0;
}
