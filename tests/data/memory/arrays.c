// expect: true
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    int a[10];
    for (int i = 0; i < 10; i++) a[i] = i * i;
    int k = __VERIFIER_nondet_int();
    if (k >= 0 && k < 10) check(a[k] == k * k);
    int m[2][3] = {{1, 2, 3}, {4, 5, 6}};
    check(m[1][0] == 4 && *(*m + 4) == 5);
    check(sizeof m == 24);
    return 0;
}
