// expect: true
// args: --config predicate-newton
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
extern void *malloc(unsigned long);
extern void *realloc(void *, unsigned long);
extern void free(void *);
static void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    double x = 1.0;
    while (__VERIFIER_nondet_int()) { if (x < 8.0) x = x * 2.0; else x = 1.0; }
    check(x <= 8.0);
    return 0;
}
