// expect: true
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

static int calls;
static int f(int r) { calls++; return r; }
int main(void) {
    int i = 0, a[4] = {0, 0, 0, 0};
    if (f(0) && f(1)) check(0);
    check(calls == 1);
    if (f(1) || f(0)) calls += 10;
    check(calls == 12);
    int x = f(1) ? (i++, i) : (i += 100);
    check(x == 1 && i == 1);
    a[i++] = 5;
    check(a[1] == 5 && i == 2);
    a[i] += i++ == 2 ? 1 : 2;
    check(!(f(0), 0) && calls == 14);
    check((i = 7, i) == 7);
    while (i-- > 5) calls++;
    check(i == 4 && calls == 16);
    return 0;
}
