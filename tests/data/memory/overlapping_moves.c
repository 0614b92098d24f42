// expect: true
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

extern void *memmove(void *, const void *, unsigned long);
extern void *memcpy(void *, const void *, unsigned long);
extern int memcmp(const void *, const void *, unsigned long);
int main(void) {
    int a[6] = {1, 2, 3, 4, 5, 6}, b[6];
    memcpy(b, a, sizeof a);
    memmove(a + 1, a, 4 * sizeof(int));
    check(a[0] == 1 && a[1] == 1 && a[4] == 4 && a[5] == 6);
    memmove(b, b + 2, 4 * sizeof(int));
    check(b[0] == 3 && b[3] == 6 && b[4] == 5);
    check(memcmp(a, b, sizeof a) != 0);
    return 0;
}
