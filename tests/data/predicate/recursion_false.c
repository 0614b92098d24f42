// expect: false
// args: --config predicate
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
extern void *malloc(unsigned long);
extern void *realloc(void *, unsigned long);
extern void free(void *);
static void check(int ok) { if (!ok) reach_error(); }

static int depth(int n) { return n <= 0 ? 0 : 1 + depth(n - 1); }
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n > 3) return 0;
    check(depth(n) != 3);
    return 0;
}
