// expect: false
// args: --config predicate
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
extern void *malloc(unsigned long);
extern void *realloc(void *, unsigned long);
extern void free(void *);
static void check(int ok) { if (!ok) reach_error(); }

/* Over integers the sum never gets smaller. */
int main(void) {
    unsigned char x = 1;
    while (__VERIFIER_nondet_int()) x = (unsigned char)(x + 85);
    check(x >= 1);
    return 0;
}
