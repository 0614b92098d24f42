// expect: unknown(realloc)
// args: --config predicate
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
extern void *malloc(unsigned long);
extern void *realloc(void *, unsigned long);
extern void free(void *);
static void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    int *p = malloc(4);
    *p = 1;
    while (__VERIFIER_nondet_int()) p = realloc(p, 8);
    check(*p == 1);
    return 0;
}
