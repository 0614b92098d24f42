// expect: true
// args: --config predicate
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
extern void *malloc(unsigned long);
extern void *realloc(void *, unsigned long);
extern void free(void *);
static void check(int ok) { if (!ok) reach_error(); }

int limit = 10;
int main(void) {
    int i = 0;
    while (__VERIFIER_nondet_int()) if (i < limit) i++;
    check(i <= 10);
    return 0;
}
