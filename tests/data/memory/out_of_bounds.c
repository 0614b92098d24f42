// expect: unknown(access out of bounds)
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    int a[3] = {0, 0, 0};
    int k = __VERIFIER_nondet_int();
    a[k] = 1;
    check(k >= 0 && k < 3);
    return 0;
}
