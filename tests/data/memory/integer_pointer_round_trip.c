// expect: true
// value-predicate: unknown(no progress)
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

int x = 4;
int main(void) {
    unsigned long bits = (unsigned long)&x;
    check((bits & 3) == 0 && bits != 0);
    int *p = (int *)(bits | 1);
    p = (int *)((unsigned long)p & ~1ul);
    *p = 6;
    check(x == 6);
    return 0;
}
