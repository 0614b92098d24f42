// expect: false
// args: --config predicate
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
extern void *malloc(unsigned long);
extern void *realloc(void *, unsigned long);
extern void free(void *);
static void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    int *last = 0;
    int n = 0;
    while (__VERIFIER_nondet_int()) {
        int *p = malloc(sizeof(int));
        *p = n;
        if (last && *last + 1 != *p) return 0;
        last = p;
        n++;
        check(n != 3);
    }
    return 0;
}
