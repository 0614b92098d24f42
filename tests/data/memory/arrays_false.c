// expect: false
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    int a[5] = {1, 2, 3, 4, 5};
    int k = __VERIFIER_nondet_int();
    if (k < 0 || k >= 5) return 0;
    a[k] = 0;
    check(a[3] != 0);
    return 0;
}
