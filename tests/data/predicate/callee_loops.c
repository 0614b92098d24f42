// expect: true
// args: --config predicate
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
extern void *malloc(unsigned long);
extern void *realloc(void *, unsigned long);
extern void free(void *);
static void check(int ok) { if (!ok) reach_error(); }

static int parity(int n) {
    int odd = 0;
    for (int i = 0; i < n; i++) odd = !odd;
    return odd;
}
int main(void) {
    int a = parity(__VERIFIER_nondet_int());
    int b = parity(__VERIFIER_nondet_int());
    check(a + b <= 2);
    return 0;
}
