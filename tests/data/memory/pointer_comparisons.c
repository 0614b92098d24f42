// expect: true
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

int a[10];
int main(void) {
    int *p = a + 3, *q = &a[7];
    check(q - p == 4 && p < q && p != q && (char *)q - (char *)p == 16 && p + 4 == q);
    int n = 0;
    for (int *r = a; r < a + 10; r += 3) n++;
    check(n == 4);
    for (int *r = a + 10; r-- > a;) n++;
    check(n == 14);
    return 0;
}
