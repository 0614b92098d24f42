// expect: false
// args: --loop-abstraction on
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    int a[8] = {0}, i;
    for (i = 0; i < 8; i++) a[i] = i * i;
    check(a[5] != 25);
    return 0;
}
