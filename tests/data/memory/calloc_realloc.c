// expect: true
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

extern void *calloc(unsigned long, unsigned long);
extern void *realloc(void *, unsigned long);
int main(void) {
    int *p = calloc(4, sizeof(int));
    check(p[3] == 0);
    p[0] = 9;
    p = realloc(p, 8 * sizeof(int));
    check(p[0] == 9 && p[3] == 0);
    return 0;
}
