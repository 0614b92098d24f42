// expect: true
// bam-value: unknown(no progress)
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
extern void *malloc(unsigned long);
extern void *calloc(unsigned long, unsigned long);
extern void *realloc(void *, unsigned long);
static void check(int ok) { if (!ok) reach_error(); }
int main(void) {
    int *z = calloc(4, sizeof(int));
    check(z[0] == 0 && z[3] == 0);
    int *p = malloc(4 * sizeof(int));
    p[0] = 9;
    p[3] = z[2];
    p = realloc(p, 8 * sizeof(int));
    p[7] = 1;
    check(p[0] == 9 && p[3] == 0);
    p = realloc(0, 4);
    *p = 3;
    check(*p == 3 && p != z);
    return 0;
}
