// expect: true
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

extern void *malloc(unsigned long);
extern void free(void *);
int main(void) {
    int *a = malloc(4), *b = malloc(4);
    if (!a || !b) return 0;
    *a = 1; *b = 2;
    check(a != b && *a == 1);
    free(a);
    check(*b == 2);
    return 0;
}
