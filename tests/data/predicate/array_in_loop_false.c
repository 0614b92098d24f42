// expect: false
// args: --config predicate
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
extern void *malloc(unsigned long);
extern void *realloc(void *, unsigned long);
extern void free(void *);
static void check(int ok) { if (!ok) reach_error(); }

/* A new instance each time: what it held before is gone. */
int main(void) {
    int seen = 0;
    while (__VERIFIER_nondet_int()) {
        int a[4];
        int *p = a;
        if (seen && p[1] != 7) check(0);
        p[1] = 7;
        seen = 1;
    }
    return 0;
}
