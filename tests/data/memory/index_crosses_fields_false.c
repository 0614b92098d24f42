// expect: false
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

struct s { int a[2]; int b; } x[2];
int main(void) {
    int i = __VERIFIER_nondet_int();
    __VERIFIER_assume(i >= 0 && i < 2);
    x[i].a[1] = 4;
    x[1 - i].b = 5;
    check(x[0].b != 5 || x[1].a[1] != 4);
    return 0;
}
