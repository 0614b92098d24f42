// expect: true
// bam-value: unknown(value domain too coarse)
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    int n = 3;
    int a[n++][2];
    check(sizeof a == 24 && n == 4);
    for (int i = 0; i < 3; i++) a[i][0] = a[i][1] = i;
    check(a[2][1] == 2 && sizeof a[0] == 8);
    for (int k = 1; k < 3; k++) {
        char b[k];
        b[k - 1] = k;
        check(sizeof b == k && b[k - 1] == k);
    }
    int (*p)[n] = 0;
    check(sizeof *p == 16);
    return 0;
}
