// expect: true
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

add(a, b)
    int a;
    char b;
{
    return a + b;
}
int main(void) {
    check(add(1, 2) == 3);
    return 0;
}
