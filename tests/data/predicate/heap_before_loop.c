// expect: true
// args: --config predicate
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
extern void *malloc(unsigned long);
extern void *realloc(void *, unsigned long);
extern void free(void *);
static void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    int *p = malloc(sizeof(int));
    int *q = malloc(sizeof(int));
    *p = 1;
    *q = 7;
    while (__VERIFIER_nondet_int()) *p = *p == 1 ? 2 : 1;
    check(*q == 7 && *p >= 1 && *p <= 2);
    free(p);
    free(q);
    return 0;
}
