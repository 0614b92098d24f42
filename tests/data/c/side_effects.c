// expect: true
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    int a[4] = {0, 1, 2, 3};
    int i = 0;
    int x = a[i++];
    check(x == 0 && i == 1);
    a[i] += 10;
    check(a[1] == 11);
    x = ++i;
    check(x == 2);
    x = i--;
    check(x == 2 && i == 1);
    int *p = a;
    *p++ = 7;
    check(a[0] == 7 && p == a + 1);
    return 0;
}
