// expect: true
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

static int *kept;
static void keep(int *p) { kept = p; }
static void bump(void) { (*kept)++; }
int main(void) {
    int x = 1;
    keep(&x);
    bump(); bump();
    check(x == 3);
    return 0;
}
