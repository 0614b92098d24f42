// expect: true
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

void set(int *p, int v) { *p = v; }
int main(void) {
    int a = 1, b = 2;
    int *p = __VERIFIER_nondet_int() ? &a : &b;
    set(p, 7);
    check(a == 7 || b == 7);
    check(a + b == 9 || a + b == 8);
    int **pp = &p;
    **pp = 3;
    check(*p == 3);
    return 0;
}
